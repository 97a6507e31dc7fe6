import { generateKeyPairSync, sign } from 'node:crypto'
import { bitString, contextTag, der, integer, oid, pemText, sequence, tags } from './der.ts'

const text = (value: string): Buffer => der(tags.utf8, Buffer.from(value))

function subjectOf(...parts: readonly (readonly [id: string, value: string])[]): Buffer {
  return sequence(...parts.map(([id, value]) => der(tags.set, sequence(oid(id), text(value)))))
}

const keys = {
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  shortRsa: generateKeyPairSync('rsa', { modulusLength: 768 }),
  md5: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  otherCurve: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  ed25519: generateKeyPairSync('ed25519'),
}
/** The key of a request with an elliptic key, in PEM. */
export const ecKeyPem = String(keys.ec.privateKey.export({ type: 'pkcs8', format: 'pem' }))

const algorithms = {
  ec: ['1.2.840.10045.4.3.2', 'sha256'],
  rsa: ['1.2.840.113549.1.1.11', 'sha256'],
  shortRsa: ['1.2.840.113549.1.1.11', 'sha256'],
  md5: ['1.2.840.113549.1.1.4', 'md5'],
  otherCurve: ['1.2.840.10045.4.3.2', 'sha256'],
  ed25519: ['1.3.101.112', null],
} as const

const servingNames = [
  der(contextTag(2, 'primitive'), Buffer.from('n1.example')),
  der(contextTag(7, 'primitive'), Buffer.from([10, 0, 0, 7])),
]

interface FakeRequest {
  readonly kind?: keyof typeof keys
  readonly organization?: string
  /** More attributes of the subject. */
  readonly more?: readonly (readonly [id: string, value: string])[]
  readonly commonName?: string
  /** The alternative names as DER. */
  readonly names?: readonly Buffer[]
  /** The algorithm that it names. Default: that of the key. */
  readonly named?: keyof typeof keys
  /** Changes what was signed. */
  readonly damage?: (info: Buffer) => Buffer
}

/** A request by hand, so that nothing reads what it wrote itself. Default: of the kubelet of n1 for its server. */
export function requestPem({
  kind = 'ec',
  organization = 'system:nodes',
  more = [],
  commonName = 'system:node:n1',
  names = servingNames,
  named = kind,
  damage = (info) => info,
}: FakeRequest = {}): string {
  const { publicKey, privateKey } = keys[kind]
  const [, hash] = algorithms[kind]
  const [algorithm] = algorithms[named]
  const extensions = sequence(sequence(oid('2.5.29.17'), der(tags.octetString, sequence(...names))))
  const requested = sequence(oid('1.2.840.113549.1.9.14'), der(tags.set, extensions))
  const info = sequence(
    integer(Buffer.from([0])),
    subjectOf(['2.5.4.10', organization], ['2.5.4.3', commonName], ...more),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(contextTag(0, 'constructed'), ...(names.length === 0 ? [] : [requested])),
  )
  const signature = bitString(sign(hash, info, privateKey))
  return pemText('CERTIFICATE REQUEST', sequence(damage(info), sequence(oid(algorithm)), signature))
}
