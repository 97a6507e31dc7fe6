function podText(metadata: string, spec: string, more = ''): string {
  return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"${metadata}},"spec":{"automountServiceAccountToken":false,"containers":[{"name":"c","image":"i"${spec}}]}${more}}`
}

function spec(more: string): string {
  return podText('', '').replace('"spec":{', `"spec":{${more},`)
}

const times = [
  '',
  'yesterday',
  '2026',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00Zx',
  '2026-1-01T00:00:00Z',
  '2026-01-01t00:00:00z',
  '2026-01-01T00:00:00+25:00',
  '2026-01-01T00:61:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00.Z',
]

/** Bodies that JSON.stringify does not write, or that Go's decoders refuse in words of their own. */
export const strangeBodies: readonly (readonly [title: string, body: string])[] = [
  ['a name that is there twice', podText(',"name":"x"', '')],
  ['a label that is there twice', podText(',"labels":{"a":"1","a":"2"}', '')],
  [
    'duplicates among unknown fields',
    podText('', ',"image":"j","q":1,"q":2', ',"bogus":{"a":1,"a":2}'),
  ],
  ['a kind that is there twice', `${podText('', '').slice(0, -1)},"kind":"Pod"}`],
  ['fields of another case', podText(',"Name":"y"', ',"Image":"j"')],
  [
    'more unknown fields than are reported',
    podText('', '', Array.from({ length: 130 }, (_, at) => `,"u${at}":1`).join('')),
  ],
  ['two values of the wrong type', spec('"priority":"x","hostNetwork":"y"')],
  ['a quantity after a value of the wrong type', spec('"priority":"x","overhead":{"cpu":"z"}')],
  ['a spec that is a text', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":"x"}'],
  ...[
    '"kind":"Node"',
    '"kind":"Foo"',
    '"apiVersion":"v1","kind":"Foo"',
    '"apiVersion":"apps/v1","kind":"Pod"',
    '"apiVersion":"apps/v1","kind":"DaemonSet"',
    '"apiVersion":"v2"',
  ].map((type) => [`the type ${type}`, `{${type},"metadata":{"name":"x"}}`] as const),
  ['lists and elements of the wrong type', spec('"imagePullSecrets":["x"]')],
  ...times.map(
    (time) => [`the time “${time}”`, podText(`,"deletionTimestamp":"${time}"`, '')] as const,
  ),
  ...['', '1.2.3', '1x', '1 Mi', '1ki', '1e', '1e5x', '1ee', '0x10', '1m2', '1KMi'].map(
    (quantity) =>
      [
        `the quantity “${quantity}”`,
        podText('', `,"resources":{"limits":{"cpu":"${quantity}"}}`),
      ] as const,
  ),
]

/** Of a ConfigMap with the label a. */
export const strangePatches: readonly (readonly [kind: string, body: string])[] = [
  ['merge', '{"metadata":{"zz":1},"bogus":1}'],
  ['strategic-merge', '{"metadata":{"zz":1},"bogus":1}'],
  ['json', '[{"op":"add","path":"/bogus","value":1}]'],
  ['json', '[{"op":"add","path":"/metadata/labels","value":{"a":"x"},"why":1}]'],
  ['json', '[{"op":"add","path":"/bogus","value":1,"Op":"x","why":{"a":1,"a":2}}]'],
  ['json', '[{"op":"test","path":"/kind","value":"Pod","why":1,"why":2}]'],
  ['merge', '{"metadata":{"labels":{"a":"1","a":"2"}},"zz":1}'],
  ['strategic-merge', '{"metadata":{"labels":{"a":"1","a":"2"}},"zz":1}'],
  ['json', '[{"op":"add","op":"add","path":"/metadata/labels","value":{"a":"x"}}]'],
]

/** Of subresources of a pod that is there: the sandbox's and the server's. */
export const subresourceBodies: readonly (readonly [subresource: string, body: string])[] = [
  [
    'eviction',
    '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"sub","zz":1},"q":1}',
  ],
  ['eviction', '{"metadata":{"name":"sub"},"deleteOptions":{"gracePeriodSeconds":"x"}}'],
  ['eviction', '{"metadata":{"name":5}}'],
  ['eviction', '{"metadata":{"name":"sub","name":"sub"}}'],
  ['eviction', '{"kind":"Pod","metadata":{"name":"sub"}}'],
  ['eviction', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"sub"}}'],
  ['eviction', '{"apiVersion":"v1","kind":"Eviction","metadata":{"name":"sub"}}'],
  ['eviction', '{"apiVersion":"policy/v1beta1","kind":"Eviction","metadata":{"name":"sub"}}'],
  ['binding', '{"metadata":{"name":"sub"},"target":{"name":5}}'],
  ['binding', '{"metadata":{"name":"sub"},"target":"x"}'],
  ['binding', '{"metadata":{"name":"other"},"target":{"name":"n1"},"zz":1}'],
  ['binding', '{"kind":"Pod","metadata":{"name":"sub"}}'],
]
