import { describe, expect, it } from 'vitest'
import { chosenColumns, movedColumn, toggledColumn } from './table-columns.ts'

describe('the columns of a table', () => {
  const shown = ['name', 'status', 'age'] as const

  it('are added at the end and removed, but not the last one', () => {
    expect(toggledColumn<string>(shown, 'node')).toEqual(['name', 'status', 'age', 'node'])
    expect(toggledColumn<string>(shown, 'status')).toEqual(['name', 'age'])
    expect(toggledColumn(['name'], 'name')).toEqual(['name'])
  })

  it('change places with their neighbors, within the table', () => {
    expect(movedColumn(shown, 'age', -1)).toEqual(['name', 'age', 'status'])
    expect(movedColumn(shown, 'name', 1)).toEqual(['status', 'name', 'age'])
    expect(movedColumn(shown, 'name', -1)).toEqual(shown)
    expect(movedColumn(shown, 'age', 1)).toEqual(shown)
  })

  it('are in the chosen order; unknown ones are left out', () => {
    const all = [{ id: 'name' }, { id: 'age' }]
    expect(chosenColumns(all, ['age', 'of another version', 'name'])).toEqual([
      { id: 'age' },
      { id: 'name' },
    ])
  })
})
