import { createPrivateKey, randomBytes, sign, X509Certificate } from 'node:crypto'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { KeyedCertificate } from '../surface/serving-certificates.ts'
import type { CertificateRequest } from './certificate-request.ts'
import {
  bitString,
  childrenOf,
  contextTag,
  der,
  integer,
  oid,
  oidText,
  pemBlocks,
  pemText,
  readDer,
  sequence,
  tags,
  time,
} from './der.ts'

/** The bit of each usage in the extension keyUsage. Source: pkg/controller/certificates/authority/policies.go. */
const keyUsages: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
}

/** The purposes of the extension extKeyUsage, in Go's order. */
const extendedUsages: readonly (readonly [oid: string, usages: readonly string[]])[] = [
  ['2.5.29.37.0', ['any']],
  ['1.3.6.1.5.5.7.3.1', ['server auth']],
  ['1.3.6.1.5.5.7.3.2', ['client auth']],
  ['1.3.6.1.5.5.7.3.3', ['code signing']],
  ['1.3.6.1.5.5.7.3.4', ['email protection', 's/mime']],
  ['1.3.6.1.5.5.7.3.5', ['ipsec end system']],
  ['1.3.6.1.5.5.7.3.6', ['ipsec tunnel']],
  ['1.3.6.1.5.5.7.3.7', ['ipsec user']],
  ['1.3.6.1.5.5.7.3.8', ['timestamping']],
  ['1.3.6.1.5.5.7.3.9', ['ocsp signing']],
  ['1.3.6.1.4.1.311.10.3.3', ['microsoft sgc']],
  ['2.16.840.1.113730.4.1', ['netscape sgc']],
]

/** All usages that a request may have. */
export const knownUsages: readonly string[] = [
  ...Object.keys(keyUsages),
  ...extendedUsages.flatMap(([, usages]) => usages),
]

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(tags.boolean, Buffer.from([0xff]))] : []
  return sequence(oid(id), ...critical, der(tags.octetString, value))
}

function usageExtensions(usages: readonly string[]): readonly Buffer[] {
  const bits = usages.flatMap((usage) => keyUsages[usage] ?? [])
  const bytes = Buffer.alloc(Math.max(...bits, 0) > 7 ? 2 : 1)
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  const unused = 8 * bytes.length - 1 - Math.max(...bits, 0)
  const purposes = extendedUsages
    .filter(([, names]) => names.some((name) => usages.includes(name)))
    .map(([id]) => oid(id))
  return [
    ...(bits.length > 0 ? [extension('2.5.29.15', bitString(bytes, unused), true)] : []),
    ...(purposes.length > 0 ? [extension('2.5.29.37', sequence(...purposes))] : []),
  ]
}

const minuteMs = 60 * 1000
const backdateMs = 5 * minuteMs
const shortMs = 8 * 60 * minuteMs
/** --cluster-signing-duration of kube-controller-manager. */
const longestMs = 365 * 24 * 60 * minuteMs

/** How long a certificate is valid. Source: pkg/controller/certificates/signer/signer.go duration. */
function lifetimeMs(expirationSeconds: number | undefined): number {
  if (expirationSeconds === undefined) return longestMs
  return Math.min(Math.max(expirationSeconds * 1000, 10 * minuteMs), longestMs)
}

const ecdsaWithSha256 = '1.2.840.10045.4.3.2'

/** What its certificate says of a CA with a P-256 key. */
interface Authority {
  /** As DER. */
  readonly subject: Buffer
  readonly keyId: Buffer | undefined
  readonly notAfter: number
}

function authorityOf(certificatePem: string): Authority {
  const certificate = new X509Certificate(certificatePem)
  const [block] = pemBlocks(certificatePem)
  const [whole] = readDer(block?.bytes ?? Buffer.alloc(0)) ?? []
  const fields = childrenOf(childrenOf(whole)[0])
  // Version, serial number, algorithm, issuer, validity, subject.
  const subject = fields[5]?.whole ?? Buffer.alloc(0)
  const extensions = fields
    .filter(({ tag }) => tag === contextTag(3, 'constructed'))
    .flatMap(childrenOf)
    .flatMap(childrenOf)
    .map(childrenOf)
  const keyId = extensions.find(([id]) => id !== undefined && oidText(id) === '2.5.29.14')?.at(-1)
  const [identifier] = keyId === undefined ? [] : (readDer(keyId.content) ?? [])
  return { subject, keyId: identifier?.content, notAfter: Date.parse(certificate.validTo) }
}

export interface SigningOptions {
  readonly usages: readonly string[]
  readonly expirationSeconds: number | undefined
  /** ms since the epoch. */
  readonly now: number
}

/** A CA that signs requests, as kube-controller-manager does. Source: pkg/controller/certificates/authority/authority.go. */
export class CertificateAuthority {
  readonly #ca: KeyedCertificate
  readonly #facts: Authority
  readonly #since: number

  /** `since`: a time of the machine at which certificates of this CA are valid already. */
  constructor(ca: KeyedCertificate, since: number) {
    this.#ca = ca
    this.#facts = authorityOf(ca.certificatePem)
    this.#since = since
  }

  /** The certificate in PEM. */
  sign(request: CertificateRequest, options: SigningOptions): Result<string, string> {
    const { subject, keyId, notAfter: authorityEnd } = this.#facts
    const { usages, expirationSeconds, now } = options
    // A cluster's clock may be ahead of that of the machine, on which clients check certificates.
    const notBefore = Math.min(now, this.#since) - backdateMs
    const lifetime = lifetimeMs(expirationSeconds)
    const end = lifetime < shortMs ? now + lifetime : now + lifetime - backdateMs
    if (now >= authorityEnd) {
      const date = new Date(authorityEnd).toISOString()
      return err(`refusing to sign a certificate that expired in the past: NotAfter=${date}`)
    }
    const names = Object.values(request.names).flat()
    const isEmpty = childrenOf(readDer(request.subject)?.[0]).length === 0
    const extensions = [
      ...usageExtensions(usages),
      extension('2.5.29.19', sequence(), true),
      ...(keyId === undefined
        ? []
        : [extension('2.5.29.35', sequence(der(contextTag(0, 'primitive'), keyId)))]),
      ...(names.length === 0 ? [] : [extension('2.5.29.17', sequence(...names), isEmpty)]),
    ]
    const algorithm = sequence(oid(ecdsaWithSha256))
    const certificate = sequence(
      der(contextTag(0, 'constructed'), integer(Buffer.from([2]))),
      integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
      algorithm,
      subject,
      sequence(time(notBefore), time(Math.min(end, authorityEnd))),
      request.subject,
      request.publicKey,
      der(contextTag(3, 'constructed'), sequence(...extensions)),
    )
    const signature = sign('sha256', certificate, createPrivateKey(this.#ca.keyPem))
    return ok(pemText('CERTIFICATE', sequence(certificate, algorithm, bitString(signature))))
  }
}
