import { describe, expect, it } from 'vitest'
import { decodeProtobufBody } from './protobuf-body.ts'

type Bytes = readonly number[]

function varint(value: bigint): Bytes {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest === 0n ? low : low | 0x80)
  } while (rest !== 0n)
  return bytes
}

function bytesField(number: number, content: Bytes): Bytes {
  return [...varint(BigInt(number << 3) | 2n), ...varint(BigInt(content.length)), ...content]
}

function textField(number: number, content: string): Bytes {
  return bytesField(number, [...new TextEncoder().encode(content)])
}

function intField(number: number, value: number): Bytes {
  return [...varint(BigInt(number << 3)), ...varint(BigInt(value))]
}

function body(apiVersion: string, kind: string, object: Bytes): Uint8Array {
  return new Uint8Array([
    0x6b,
    0x38,
    0x73,
    0x00,
    ...bytesField(1, [...textField(1, apiVersion), ...textField(2, kind)]),
    ...bytesField(2, object),
    ...textField(3, ''),
    ...textField(4, ''),
  ])
}

describe('a Namespace in protobuf', () => {
  it('from kubectl create namespace is decoded as JSON', () => {
    // Go writes every text field that is not a pointer, and its zero time as an empty message.
    const metadata = [
      ...textField(1, 'stage'),
      ...textField(2, ''),
      ...textField(3, ''),
      ...textField(4, ''),
      ...textField(5, ''),
      ...textField(6, ''),
      ...intField(7, 0),
      ...bytesField(8, []),
    ]
    const object = [
      ...bytesField(1, metadata),
      ...bytesField(2, []),
      ...bytesField(3, textField(1, '')),
    ]
    expect(decodeProtobufBody(body('v1', 'Namespace', object))).toEqual({
      ok: true,
      value: {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'stage' },
        spec: {},
        status: {},
      },
    })
  })

  it('keeps labels, annotations, owners, finalizers and times', () => {
    const label = (key: string, value: string): Bytes => [
      ...textField(1, key),
      ...textField(2, value),
    ]
    const owner = [
      ...textField(1, 'Node'),
      ...textField(3, 'n1'),
      ...textField(4, 'u'),
      ...textField(5, 'v1'),
      ...intField(6, 1),
    ]
    const metadata = [
      ...textField(1, 'stage'),
      ...bytesField(8, [...intField(1, 1_767_268_800), ...intField(2, 0)]),
      ...bytesField(11, label('team', 'größe')),
      ...bytesField(11, label('__proto__', 'x')),
      ...bytesField(12, label('note', '')),
      ...bytesField(13, owner),
      ...textField(14, 'a/one'),
      ...textField(14, 'a/two'),
    ]
    const object = [...bytesField(1, metadata), ...bytesField(2, textField(1, 'kubernetes'))]
    const decoded = decodeProtobufBody(body('v1', 'Namespace', object))
    expect(decoded).toEqual({
      ok: true,
      value: {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: 'stage',
          creationTimestamp: '2026-01-01T12:00:00Z',
          labels: Object.fromEntries([
            ['team', 'größe'],
            ['__proto__', 'x'],
          ]),
          annotations: { note: '' },
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u', controller: true },
          ],
          finalizers: ['a/one', 'a/two'],
        },
        spec: { finalizers: ['kubernetes'] },
      },
    })
  })
})

describe('an object that kubectl builds', () => {
  it('a Service: ports that are numbers or names', () => {
    const port = (target: Bytes): Bytes => [
      ...textField(1, '80'),
      ...textField(2, 'TCP'),
      ...intField(3, 80),
      ...bytesField(4, target),
      ...intField(5, 0),
    ]
    const spec = [
      ...bytesField(1, port([...intField(1, 0), ...intField(2, 8080), ...textField(3, '')])),
      ...bytesField(1, port([...intField(1, 1), ...intField(2, 0), ...textField(3, 'http')])),
      ...textField(4, 'ClusterIP'),
      ...intField(13, 0),
    ]
    expect(decodeProtobufBody(body('v1', 'Service', bytesField(2, spec)))).toMatchObject({
      ok: true,
      value: {
        spec: {
          type: 'ClusterIP',
          ports: [
            { name: '80', protocol: 'TCP', port: 80, targetPort: 8080 },
            { targetPort: 'http' },
          ],
        },
      },
    })
  })

  it('a Secret: bytes become base64', () => {
    const entry = [...textField(1, 'key'), ...bytesField(2, [0xff, 0x00])]
    const object = [...bytesField(2, entry), ...textField(3, 'Opaque')]
    expect(decodeProtobufBody(body('v1', 'Secret', object))).toMatchObject({
      ok: true,
      value: { data: { key: '/wA=' }, type: 'Opaque' },
    })
  })

  it('a Pod: embedded messages, quantities, and zero values that JSON has', () => {
    const source = bytesField(19, [...bytesField(1, textField(1, 'settings')), ...intField(4, 0)])
    const quantity = [...textField(1, 'cpu'), ...bytesField(2, textField(1, '100m'))]
    const probe = [...bytesField(1, bytesField(1, textField(1, 'true'))), ...intField(2, 0)]
    const container = [
      ...textField(1, 'c'),
      ...textField(2, ''),
      ...bytesField(8, bytesField(1, quantity)),
      ...bytesField(10, probe),
      ...bytesField(15, [...intField(2, 0), ...intField(4, 0)]),
    ]
    const spec = [
      ...bytesField(1, [...textField(1, 'v'), ...bytesField(2, source)]),
      ...bytesField(2, container),
      ...intField(4, 0),
      ...intField(11, 0),
      ...intField(21, 0),
    ]
    expect(decodeProtobufBody(body('v1', 'Pod', bytesField(2, spec)))).toEqual({
      ok: true,
      value: {
        apiVersion: 'v1',
        kind: 'Pod',
        spec: {
          volumes: [{ name: 'v', configMap: { name: 'settings', optional: false } }],
          containers: [
            {
              name: 'c',
              resources: { limits: { cpu: '100m' } },
              livenessProbe: { exec: { command: ['true'] } },
              securityContext: { privileged: false, runAsUser: 0 },
            },
          ],
          terminationGracePeriodSeconds: 0,
          automountServiceAccountToken: false,
        },
      },
    })
  })

  it('a TokenRequest', () => {
    const bound = [...textField(1, 'Pod'), ...textField(2, 'v1'), ...textField(3, 'web')]
    const spec = [...textField(1, 'vault'), ...bytesField(3, bound), ...intField(4, 600)]
    const kind = 'TokenRequest'
    expect(
      decodeProtobufBody(body('authentication.k8s.io/v1', kind, bytesField(2, spec))),
    ).toMatchObject({
      ok: true,
      value: {
        spec: {
          audiences: ['vault'],
          boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web' },
          expirationSeconds: 600,
        },
      },
    })
  })
})

it('reads DeleteOptions', () => {
  const object = [
    ...intField(1, 0),
    ...bytesField(2, textField(1, 'u-1')),
    ...textField(4, 'Background'),
    ...textField(5, 'All'),
  ]
  expect(decodeProtobufBody(body('v1', 'DeleteOptions', object))).toEqual({
    ok: true,
    value: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u-1' },
      propagationPolicy: 'Background',
      dryRun: ['All'],
    },
  })
})

it('leaves the object of another kind as bytes: the path of its request is refused', () => {
  const object = textField(1, 'x')
  expect(decodeProtobufBody(body('networking.k8s.io/v1', 'Ingress', object))).toEqual({
    ok: true,
    value: new Uint8Array(object),
  })
})

describe('bytes that are not a message', () => {
  const valid = body('v1', 'Namespace', bytesField(1, textField(1, 'stage')))
  it.each([
    ['nothing', new Uint8Array(0), 'does not begin with the four bytes'],
    [
      'JSON',
      new TextEncoder().encode('{"kind":"Namespace"}'),
      'does not begin with the four bytes',
    ],
    [
      'more fields than are read',
      body('v1', 'Pod', bytesField(2, Array<Bytes>(500_001).fill([0x12, 0x00]).flat())),
      'more than 500000 fields',
    ],
    ['a field cut short', valid.subarray(0, 12), 'ends inside a field'],
    ['a number cut short', new Uint8Array([0x6b, 0x38, 0x73, 0, 0x8a]), 'ends inside a number'],
    [
      'a number without an end',
      new Uint8Array([0x6b, 0x38, 0x73, 0, ...Array<number>(11).fill(0xff)]),
      'longer than ten bytes',
    ],
    ['a field number 0', new Uint8Array([0x6b, 0x38, 0x73, 0, 0x02, 0x00]), 'the number 0'],
    ['an old wire type', new Uint8Array([0x6b, 0x38, 0x73, 0, 0x0b]), 'wire type'],
    [
      'a length beyond everything',
      new Uint8Array([
        0x6b, 0x38, 0x73, 0, 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
      ]),
      'ends inside a field',
    ],
    ['a number where text belongs', body('v1', 'Namespace', intField(1, 5)), 'is a number'],
    [
      'text that is no UTF-8',
      body('v1', 'Namespace', bytesField(1, bytesField(1, [0xc3, 0x28]))),
      'is not UTF-8',
    ],
  ])('%s is malformed', (_, bytes, reason) => {
    const decoded = decodeProtobufBody(bytes)
    expect(decoded).toMatchObject({ ok: false, error: { code: 400 } })
    expect(decoded.ok ? '' : decoded.error.message).toContain(reason)
  })
})
