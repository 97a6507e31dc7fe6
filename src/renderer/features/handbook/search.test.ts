import { describe, expect, it } from 'vitest'
import type { HandbookPage } from '../../../shared/handbook/page.ts'
import { marksIn, searchHandbook } from './search.ts'

const at = (page: string, heading: string): string => [page, heading].join('#')

const pages: readonly HandbookPage[] = [
  {
    name: 'workers',
    title: 'Pod workers',
    sections: [
      { anchor: 'workers', title: 'Pod workers', blocks: [] },
      {
        anchor: at('workers', 'record'),
        title: 'Worker record',
        blocks: [
          {
            kind: 'text',
            parts: [
              'It holds a state. The ',
              { kind: 'code', text: 'gracePeriod' },
              ' is part of it.',
            ],
          },
          {
            kind: 'heading',
            anchor: at('workers', 'fields'),
            depth: 3,
            parts: ['Fields'],
          },
          {
            kind: 'list',
            isOrdered: false,
            start: 1,
            items: [[{ kind: 'text', parts: ['Stops'] }]],
          },
        ],
      },
    ],
  },
  {
    name: 'grace',
    title: 'Termination',
    sections: [
      {
        anchor: 'grace',
        title: 'Termination',
        blocks: [{ kind: 'table', head: [['Who']], rows: [[['Evicted'], ['one grace of 1 s']]] }],
      },
      {
        anchor: at('grace', 'in-use'),
        title: 'Grace period in use',
        blocks: [{ kind: 'text', parts: ['It only gets shorter.'] }],
      },
    ],
  },
]

function found(query: string): readonly string[] {
  return searchHandbook(pages, query).map(({ page, title, sentence }) =>
    [page, title, sentence].join(' | '),
  )
}

describe('the search of the handbook', () => {
  it('finds whole words and beginnings of words, those in headings first', () => {
    expect(found('grace')).toEqual([
      'Termination | Grace period in use | ',
      'Termination | Termination | Evicted · one grace of 1 s',
      'Pod workers | Worker record | The gracePeriod is part of it.',
    ])
    expect(found('GRA')).toHaveLength(3)
    expect(found('race')).toEqual([])
  })

  it('finds the parts of a word in camel case', () => {
    expect(found('period')).toEqual([
      'Termination | Grace period in use | ',
      'Pod workers | Worker record | The gracePeriod is part of it.',
    ])
  })

  it('requires every word, anywhere under the heading', () => {
    expect(found('grace state')).toEqual(['Pod workers | Worker record | It holds a state.'])
    expect(found('grace stops')).toEqual([])
  })

  it('finds text under a heading within a section', () => {
    expect(searchHandbook(pages, 'stops')).toEqual([
      {
        anchor: at('workers', 'fields'),
        page: 'Pod workers',
        title: 'Fields',
        sentence: 'Stops',
      },
    ])
  })

  it('finds nothing without a word', () => {
    expect(found(' .* ( ')).toEqual([])
  })
})

describe('the marks of a match', () => {
  it('are in order and do not overlap', () => {
    expect(marksIn('grace gracep', 'A gracePeriod of grace')).toEqual([
      [2, 7],
      [17, 22],
    ])
  })
})
