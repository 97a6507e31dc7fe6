import { describe, expect, it } from 'vitest'
import { locate, parseText } from './kubernetes-text.ts'

function valueOf(text: string): unknown {
  const decoded = parseText(text)
  if (!decoded.ok) throw new Error(decoded.error.message)
  return decoded.value.value
}

function warningsOf(text: string): unknown {
  const decoded = parseText(text)
  if (!decoded.ok) throw new Error(decoded.error.message)
  return decoded.value.warnings
}

function problemOf(text: string): unknown {
  const decoded = parseText(text)
  if (decoded.ok) throw new Error(`decoded: ${JSON.stringify(decoded.value.value)}`)
  const { line, column, message } = decoded.error
  return `${line}:${column} ${message}`
}

describe('parseText', () => {
  it.each([
    ['a: y', { a: true }],
    ['a: Yes', { a: true }],
    ['a: on', { a: true }],
    ['a: n', { a: false }],
    ['a: off', { a: false }],
    ['on: 1', { true: 1 }],
    ['a: "yes"', { a: 'yes' }],
    ['a: 0644', { a: 420 }],
    ['a: 0o644', { a: 420 }],
    ['a: -0o10', { a: -8 }],
    ['a: 0x1F', { a: 31 }],
    ['a: 1_000', { a: 1000 }],
    ['a: 1e3', { a: 1000 }],
    ['a: -1_0.5E+1', { a: -105 }],
    ['a: .5e1', { a: 5 }],
    ['a: e7', { a: 'e7' }],
    ['a: e1234567', { a: 'e1234567' }],
    ['a: .', { a: '.' }],
    ['a: [.5, 5., 1_0.5, -.5]', { a: [0.5, 5, 10.5, -0.5] }],
    ['a: -E5', { a: '-E5' }],
    ['a: .e3', { a: '.e3' }],
    ['a: 80:80', { a: '80:80' }],
    ['a: 1:30.5', { a: '1:30.5' }],
    ['a: 2001-01-01', { a: '2001-01-01' }],
    ['a: ~', { a: null }],
    ['a:', { a: null }],
    ['1: x', { '1': 'x' }],
    ['b: &b {x: 1}\na: {<<: *b, y2: 2}', { b: { x: 1 }, a: { x: 1, y2: 2 } }],
    ['\uFEFFa: 1', { a: 1 }],
    ['# comment\n---\na: 1', { a: 1 }],
  ])('reads %j as Kubernetes does', (text, value) => {
    expect(valueOf(text)).toEqual(value)
  })

  it('reads JSON, also indented by tabs', () => {
    expect(valueOf(' {\n\t"a": [1,\n\t2],\n\t"on": "yes"\n}\n')).toEqual({ a: [1, 2], on: 'yes' })
  })

  it.each([
    [
      'a: b: c\n',
      '1:4 This is not valid YAML: Nested mappings are not allowed in compact mappings.',
    ],
    ['a:\n\tb: 1\n', '2:1 This is not valid YAML: Tabs are not allowed as indentation.'],
    [
      'a: 1\nb: @x\n',
      '2:4 This is not valid YAML: Plain value cannot start with reserved character @.',
    ],
    ['', 'null:null The file is empty.'],
    ['# nothing\n', 'null:null The file is empty.'],
    ['a: &a [*a]\n', 'null:null This YAML cannot be read: an anchor contains itself.'],
    ['{"a": 1,\n "b": }', "2:7 This is not valid JSON: Unexpected token '}'."],
    ['{"a": 1', "1:8 This is not valid JSON: Expected ',' or '}' after property value."],
    ['{a: 1}', "1:2 This is not valid JSON: Expected property name or '}'."],
    ['{"a": 1} x', '1:10 This is not valid JSON: Unexpected non-whitespace character after JSON.'],
  ])('says where %j is broken', (text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })

  it('refuses an undefined alias and exponentially expanding aliases', () => {
    expect(problemOf('a: *nope\n')).toContain('An alias (*…) names an anchor that is not set')
    expect(problemOf('a: *nope\n')).not.toContain('nope')
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const lines = names.map(
      (name, index) =>
        `${name}${index}: &${name}${index} [${Array(9)
          .fill(`*${names[index - 1]}${index - 1}`)
          .join(',')}]`,
    )
    expect(problemOf(['a0: &a0 [x,x,x,x,x,x,x,x,x]', ...lines.slice(1)].join('\n'))).toContain(
      'alias',
    )
  })

  it('uses the later of two equal fields, with a warning', () => {
    expect(valueOf('a: 1\nb: 2\na: 3\n')).toEqual({ a: 3, b: 2 })
    expect(warningsOf('a: 1\nb: 2\na: 3\n')).toEqual([
      { line: 3, column: 1, message: 'This field stands there twice; the later one counts.' },
    ])
  })

  it('reads only the first document, with a warning about a second one, even an invalid one', () => {
    const ignored = {
      column: 1,
      message: 'Only the first document of a file is read; from here on it has no effect.',
    }
    expect(valueOf('a: 1\n---\nb: 2\n')).toEqual({ a: 1 })
    expect(warningsOf('a: 1\n---\nb: 2\n')).toEqual([{ line: 2, ...ignored }])
    expect(warningsOf('a: 1\n---\nb: [\n')).toEqual([{ line: 2, ...ignored }])
    expect(warningsOf('a: 1\n---\n# nothing\n')).toEqual([])
    expect(warningsOf('a: 1\n...\n')).toEqual([])
    expect(valueOf('---\n---\na: 1\n')).toBeNull()
  })

  it('finds the position of a field, or of its nearest known parent', () => {
    const text = [
      'metadata:',
      '  labels: {app.kubernetes.io/name: x}',
      'spec:',
      '  containers:',
      '    - name: a',
      '      image: b',
    ].join('\n')
    const decoded = parseText(text)
    if (!decoded.ok) throw new Error(decoded.error.message)
    const { place } = decoded.value
    expect(locate(place, 'spec.containers[0].image')).toEqual({ line: 6, column: 14 })
    expect(locate(place, 'metadata.labels[app.kubernetes.io/name]')).toEqual({
      line: 2,
      column: 36,
    })
    expect(locate(place, 'spec.containers[0].ports[2].name')).toEqual({ line: 5, column: 7 })
    expect(locate(place, 'status.phase')).toEqual({ line: null, column: null })
    expect(locate(place, '')).toEqual({ line: null, column: null })
    const json = parseText('{\n "spec": {"x": 1}}')
    if (!json.ok) throw new Error(json.error.message)
    expect(locate(json.value.place, 'spec.x')).toEqual({ line: 2, column: 16 })
  })

  const unread = 'null:null This text is not read: it has more than'
  const bomb = ['a: &a [x, x]', 'b: &b [*a, *a]', 'c: [*b, *b]'].join('\n')

  it.each([
    ['lists within each other in YAML', '['.repeat(501), `${unread} 500 maps and lists`],
    ['maps within each other in YAML', '{a: '.repeat(501), `${unread} 500 maps and lists`],
    ['entries within each other', '- '.repeat(1_000_000), `${unread} 500 maps and lists`],
    ['JSON maps within each other', '{"a":'.repeat(501), `${unread} 500 maps and lists`],
    ['entries of a YAML list', `[${'a,'.repeat(500_000)}]`, `${unread} 500000 tokens`],
    ['entries of a JSON list', `{"a":[${'0,'.repeat(500_000)}0]}`, `${unread} 500000 tokens`],
    [
      'copies of one anchor',
      `a: &a [${'x,'.repeat(10_000)}]\nb: [${'*a,'.repeat(90)}]`,
      `${unread} 500000 values`,
    ],
    ['characters', `a: ${'x'.repeat(11_000_000)}`, 'null:null This text is not read: it is longer'],
  ])('does not read more %s than it can bear, and says how many', (_what, text, problem) => {
    expect(problemOf(text)).toContain(problem)
  })

  it('reads texts at the limits', () => {
    expect(valueOf(bomb)).toMatchObject({
      c: [
        [
          ['x', 'x'],
          ['x', 'x'],
        ],
        expect.anything(),
      ],
    })
    expect(valueOf(`${'['.repeat(500)}${']'.repeat(500)}`)).toEqual(expect.any(Array))
    expect(valueOf(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`)).toEqual({ a: expect.anything() })
    const inString = JSON.stringify({ a: '[{,:\\"'.repeat(200_000) })
    expect(valueOf(inString)).toEqual(JSON.parse(inString))
  })

  // Keys were compared with all before them: so many took 90 s, where a test has 60.
  it('finds the repeated one of 60,000 keys quickly', () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `k${index}: v`)
    expect(warningsOf([...lines, 'k30000: w'].join('\n'))).toMatchObject([{ line: 60_001 }])
  })
})
