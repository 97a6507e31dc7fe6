import { describe, expect, it } from 'vitest'
import { columns, columnsFor, gridTemplate, nameLetters } from './columns.ts'

function ids(width: number, hasNodes = false): readonly string[] {
  return columnsFor(width, {
    hasNodes,
    hasWhy: false,
    isHandbookOpen: false,
    isSeen: false,
    chosen: null,
  }).map((column) => column.id)
}

const ofSeveralNodes = columns
  .map((column) => column.id)
  .filter((id) => !['why', 'ip', 'labels'].includes(id))
const ofOneNode = ofSeveralNodes.filter((id) => id !== 'node')
const plain = { hasNodes: false, hasWhy: false, isHandbookOpen: false, isSeen: false, chosen: null }

describe('the columns of the table', () => {
  it('begin with kubectl’s, in kubectl’s order', () => {
    expect(
      columns
        .filter(({ id }) => id !== 'why')
        .slice(0, 6)
        .map((column) => column.head),
    ).toEqual(['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE'])
  })

  it('are all shown in a wide table', () => {
    expect(ids(1388)).toEqual(ofOneNode)
  })

  it('are dropped one by one, the UIDs first; RESTARTS and AGE stay next to the drawer', () => {
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

  it('include NODE for the pods of several nodes, unless the table is narrow', () => {
    expect(ids(1520, true)).toEqual(ofSeveralNodes)
    expect(ids(1308, true)).toContain('node')
    expect(ids(1100, true)).not.toContain('node')
  })

  it('always include NAME, STATUS, WORKER and GRACE', () => {
    expect(ids(10)).toEqual(['name', 'status', 'worker', 'grace'])
  })

  it('are fewer next to the handbook: WORKER keeps its sign, and STATUS is dropped last', () => {
    const shown = [600, 430, 369, 282].map((width) =>
      columnsFor(width, { ...plain, isHandbookOpen: true }).map(({ id, isSign }) =>
        isSign === true ? `${id} sign` : id,
      ),
    )
    expect(shown).toEqual([
      ['name', 'status', 'worker', 'grace'],
      ['name', 'status', 'worker sign'],
      ['name', 'status', 'worker sign'],
      ['name', 'worker sign'],
    ])
  })

  it('include WHY for the pods that need attention at any width', () => {
    for (const width of [10, 856, 1388])
      expect(columnsFor(width, { ...plain, hasWhy: true }).map(({ id }) => id)).toContain('why')
    expect(ids(1388)).not.toContain('why')
  })

  it('fit the RESTARTS of a crash loop', () => {
    const restarts = columns.find((column) => column.id === 'restarts')
    expect(restarts?.width).toBeGreaterThanOrEqual(7 * '10 (4m59s ago)'.length)
  })

  it('limit the letters of a name', () => {
    expect([nameLetters(10, plain), nameLetters(556, plain), nameLetters(1388, plain)]).toEqual([
      20, 23, 32,
    ])
  })

  it('have widths that do not depend on content, so that heads and rows align', () => {
    expect(gridTemplate(columnsFor(556, plain), 556)).toBe(
      '14px minmax(130px, 2fr) minmax(112px, 0.3fr) 178px 42px',
    )
  })

  it('share the width when even the last four do not fit', () => {
    expect(gridTemplate(columnsFor(400, plain), 400)).toBe(
      '14px minmax(0, 130fr) minmax(0, 112fr) minmax(0, 178fr) minmax(0, 42fr)',
    )
  })
})
