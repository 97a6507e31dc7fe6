import { describe, expect, it } from 'vitest'
import { anchorsOf, compileHandbook, HandbookError, slugOf } from './compile.ts'

const pictures = new Set(['states.svg'])

/** The sections of a page whose text this is, under its title. */
function sections(...lines: readonly string[]): unknown {
  const text = ['# One', '', ...lines].join('\n')
  return compileHandbook([{ name: 'one', text }], pictures)[0]?.sections
}

function blocks(...lines: readonly string[]): unknown {
  const text = ['# One', '', ...lines].join('\n')
  return compileHandbook([{ name: 'one', text }], pictures)[0]?.sections[0]?.blocks
}

describe('a page of the handbook', () => {
  it('is split at its title and at each heading of level 2', () => {
    expect(sections('Lead.', '## The `grace` period', 'Text.', '### In short', 'More.')).toEqual([
      { anchor: 'one', title: 'One', blocks: [{ kind: 'text', parts: ['Lead.'] }] },
      {
        anchor: ['one', 'the-grace-period'].join('#'),
        title: 'The grace period',
        blocks: [
          { kind: 'text', parts: ['Text.'] },
          {
            kind: 'heading',
            anchor: ['one', 'in-short'].join('#'),
            depth: 3,
            parts: ['In short'],
          },
          { kind: 'text', parts: ['More.'] },
        ],
      },
    ])
  })

  it('keeps lines, lists, tables, code and quotes', () => {
    expect(blocks('A **bold `x`**, an *em* &', 'a < b \\* c.')).toEqual([
      {
        kind: 'text',
        parts: [
          'A ',
          { kind: 'strong', parts: ['bold ', { kind: 'code', text: 'x' }] },
          ', an ',
          { kind: 'emphasis', parts: ['em'] },
          ' & a < b * c.',
        ],
      },
    ])
    expect(blocks('3. a', '4. b', '   - c')).toEqual([
      {
        kind: 'list',
        isOrdered: true,
        start: 3,
        items: [
          [{ kind: 'text', parts: ['a'] }],
          [
            { kind: 'text', parts: ['b'] },
            { kind: 'list', isOrdered: false, start: 1, items: [[{ kind: 'text', parts: ['c'] }]] },
          ],
        ],
      },
    ])
    expect(blocks('| a | b |', '|---|---|', '| `1` | 2 |')).toEqual([
      { kind: 'table', head: [['a'], ['b']], rows: [[[{ kind: 'code', text: '1' }], ['2']]] },
    ])
    expect(blocks('```go', 'a <b>', '```', '> q')).toEqual([
      { kind: 'code', text: 'a <b>' },
      { kind: 'quote', blocks: [{ kind: 'text', parts: ['q'] }] },
    ])
  })

  it('links to sections and https URLs, and shows links to other files of the repository as text', () => {
    expect(blocks('[a](#there) [b](https://kubernetes.io/x) [c](../gaps.md)', '## There')).toEqual([
      {
        kind: 'text',
        parts: [
          { kind: 'see', anchor: ['one', 'there'].join('#'), parts: ['a'] },
          ' ',
          { kind: 'web', href: 'https://kubernetes.io/x', parts: ['b'] },
          ' ',
          { kind: 'emphasis', parts: ['c'] },
        ],
      },
    ])
  })

  it('has pictures from its own folder, with alternative texts', () => {
    expect(blocks('![The states](pictures/states.svg)')).toEqual([
      { kind: 'picture', file: 'states.svg', alt: 'The states' },
    ])
  })

  it.each([
    ['raw HTML', '<div>x</div>', 'HTML "<div>x</div>"'],
    ['HTML in a line', 'a <img src=x onerror=y>', 'HTML "<img src=x onerror=y>"'],
    ['a comment', '<!-- x -->', 'HTML "<!-- x -->"'],
    ['HTML in a cell', '| <i>a</i> |\n|---|', 'HTML "<i>"'],
    ['entities', 'a&nbsp;b', '"&nbsp;"'],
    ['script links', '[x](javascript:alert%281%29)', 'link "javascript:alert%281%29"'],
    ['links without TLS', '[x](http://a.b)', 'link "http://a.b"'],
    ['pictures from elsewhere', '![x](https://a.b/c.svg)', 'picture "https://a.b/c.svg"'],
    [
      'pictures outside of the folder',
      '![x](pictures/../../a.svg)',
      'picture "pictures/../../a.svg"',
    ],
    ['pictures that are not there', '![x](pictures/no.svg)', 'picture "pictures/no.svg"'],
    [
      'pictures without words',
      '![](pictures/states.svg)',
      'picture "pictures/states.svg" without words',
    ],
    ['pictures in a line', 'a ![x](pictures/states.svg)', '"image" in a line'],
    ['links to nowhere', '[x](#nowhere)', ['link to one', 'nowhere'].join('#')],
    ['a second title', '# Two', 'a second title'],
    ['two headings of one anchor', '## A\n\n## A', 'two headings "A"'],
    ['task lists', '- [ ] a', 'a task list'],
  ])('refuses %s', (_, text, message) => {
    const compile = (): unknown => sections(text)
    expect(compile).toThrow(HandbookError)
    expect(compile).toThrow(`docs/kubelet/one.md: ${message}`)
  })

  it('has a title', () => {
    expect(() => compileHandbook([{ name: 'one', text: 'Text.' }], pictures)).toThrow(
      'text above the title',
    )
  })
})

describe('the anchors', () => {
  it('are GitHub’s anchors of the headings', () => {
    expect(slugOf('The API server’s side')).toBe('the-api-servers-side')
    expect(slugOf('mergeLastUpdate → activeUpdate')).toBe('mergelastupdate--activeupdate')
    expect(slugOf('SyncKnownPods(desired)')).toBe('syncknownpodsdesired')
  })

  it('are those of pages, sections and headings, in order', () => {
    const pages = compileHandbook(
      [
        { name: 'one', text: '# One\n\n## A\n\n### B' },
        { name: 'two', text: '# Two' },
      ],
      pictures,
    )
    expect(anchorsOf(pages)).toEqual(['one', ['one', 'a'].join('#'), ['one', 'b'].join('#'), 'two'])
  })
})
