import { describe, expect, it } from 'vitest'
import { columns, columnsFor, gridTemplate, nameRoom } from './columns.ts'

function ids(width: number, hasNodes = false): readonly string[] {
  return columnsFor(width, { hasNodes, hasWhy: false, isBesideHandbook: false }).map(
    (column) => column.id,
  )
}

const ofPods = columns.map((column) => column.id).filter((id) => id !== 'why')
const ofOneNode = ofPods.filter((id) => id !== 'node')
const plain = { hasNodes: false, hasWhy: false, isBesideHandbook: false }

describe('the columns', () => {
  it('are kubectl’s first, in kubectl’s order', () => {
    expect(
      columns
        .filter(({ id }) => id !== 'why')
        .slice(0, 6)
        .map((column) => column.head),
    ).toEqual(['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE'])
  })

  it('are all there where there is room', () => {
    expect(ids(1388)).toEqual(ofOneNode)
  })

  it('give way one by one, the UIDs first; RESTARTS and AGE stay beside the drawer', () => {
    const gone = [1388, 1206, 1100, 1010, 960].map((width) =>
      ofOneNode.filter((id) => !ids(width).includes(id)),
    )
    expect(gone).toEqual([
      [],
      ['staticUid'],
      ['mirrorUid', 'staticUid'],
      ['source', 'mirrorUid', 'staticUid'],
      ['namespace', 'source', 'mirrorUid', 'staticUid'],
    ])
    // At 1280 px, with the rail folded and the drawer open.
    expect(ids(1280 - 52 - 408)).toEqual(expect.arrayContaining(['restarts', 'age']))
  })

  it('have NODE with the pods of several nodes, until room is short', () => {
    expect(ids(1520, true)).toEqual(ofPods)
    expect(ids(1308, true)).toContain('node')
    expect(ids(1100, true)).not.toContain('node')
  })

  it('never lose NAME, STATUS, WORKER and GRACE', () => {
    expect(ids(10)).toEqual(['name', 'status', 'worker', 'grace'])
  })

  it('give way further beside the handbook: WORKER keeps its sign, and STATUS goes last', () => {
    const beside = [600, 430, 369, 282].map((width) =>
      columnsFor(width, { ...plain, isBesideHandbook: true }).map(({ id, isSign }) =>
        isSign === true ? `${id} sign` : id,
      ),
    )
    expect(beside).toEqual([
      ['name', 'status', 'worker', 'grace'],
      ['name', 'status', 'worker sign'],
      ['name', 'status', 'worker sign'],
      ['name', 'worker sign'],
    ])
  })

  it('have WHY among the pods that need attention, whatever the width', () => {
    for (const width of [10, 856, 1388])
      expect(columnsFor(width, { ...plain, hasWhy: true }).map(({ id }) => id)).toContain('why')
    expect(ids(1388)).not.toContain('why')
  })

  it('hold the RESTARTS of a crash loop in full', () => {
    const restarts = columns.find((column) => column.id === 'restarts')
    expect(restarts?.width).toBeGreaterThanOrEqual(7 * '10 (4m59s ago)'.length)
  })

  it('know how long a name may be', () => {
    expect([nameRoom(10, plain), nameRoom(540, plain), nameRoom(1388, plain)]).toEqual([20, 22, 32])
  })

  it('have widths that no content changes, so that heads and rows line up', () => {
    expect(gridTemplate(columnsFor(540, plain), 540)).toBe(
      'minmax(130px, 2fr) minmax(112px, 0.3fr) 178px 46px',
    )
  })

  it('share what there is where even the last four do not fit', () => {
    expect(gridTemplate(columnsFor(400, plain), 400)).toBe(
      'minmax(0, 130fr) minmax(0, 112fr) minmax(0, 178fr) minmax(0, 46fr)',
    )
  })
})
