import { constants, createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import {
  childrenOf,
  contextTag,
  der,
  oid,
  oidText,
  pemBlocks,
  readDer,
  sequence,
  tags,
} from './der.ts'
import type { DerValue } from './der.ts'

/** The kinds of names in a subjectAltName by their tags, in the order in which Go writes them. */
const nameTags = {
  dns: contextTag(2, 'primitive'),
  email: contextTag(1, 'primitive'),
  ip: contextTag(7, 'primitive'),
  uri: contextTag(6, 'primitive'),
} as const

/** Names as DER, in Go's order. */
export type AlternativeNames = Readonly<Record<keyof typeof nameTags, readonly Buffer[]>>

/** A PKCS #10 request for a certificate. */
export interface CertificateRequest {
  /** As DER, as a certificate has it. */
  readonly subject: Buffer
  readonly organizations: readonly string[]
  readonly commonName: string
  readonly names: AlternativeNames
  /** The SubjectPublicKeyInfo as DER. */
  readonly publicKey: Buffer
}

const malformed = 'x509: malformed certificate request'

const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  serialNumber: '2.5.4.5',
  extensionRequest: '1.2.840.113549.1.9.14',
  subjectAltName: '2.5.29.17',
}

interface SignatureAlgorithm {
  readonly keys: 'RSA' | 'ECDSA' | 'Ed25519'
  /** Null: the algorithm hashes by itself. */
  readonly hash: string | null
}

/** By OID. */
const algorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['1.2.840.113549.1.1.5', { keys: 'RSA', hash: 'sha1' }],
  ['1.2.840.113549.1.1.11', { keys: 'RSA', hash: 'sha256' }],
  ['1.2.840.113549.1.1.12', { keys: 'RSA', hash: 'sha384' }],
  ['1.2.840.113549.1.1.13', { keys: 'RSA', hash: 'sha512' }],
  ['1.2.840.10045.4.1', { keys: 'ECDSA', hash: 'sha1' }],
  ['1.2.840.10045.4.3.2', { keys: 'ECDSA', hash: 'sha256' }],
  ['1.2.840.10045.4.3.3', { keys: 'ECDSA', hash: 'sha384' }],
  ['1.2.840.10045.4.3.4', { keys: 'ECDSA', hash: 'sha512' }],
  ['1.3.101.112', { keys: 'Ed25519', hash: null }],
])

/** Go does not verify it. */
const md5WithRsa = '1.2.840.113549.1.1.4'

/** Node.js's names of the curves that Go has. */
const curves: ReadonlySet<string | undefined> = new Set([
  'secp224r1',
  'prime256v1',
  'secp384r1',
  'secp521r1',
])

/** Node.js's types of keys, and Go's. */
const keyTypes: ReadonlyMap<string | undefined, readonly [SignatureAlgorithm['keys'], string]> =
  new Map([
    ['rsa', ['RSA', '*rsa.PublicKey']],
    ['ec', ['ECDSA', '*ecdsa.PublicKey']],
    ['ed25519', ['Ed25519', 'ed25519.PublicKey']],
  ])

function attributeText({ tag, content }: DerValue): string {
  // BMPString; the other kinds of text are read as UTF-8, which they are a part of where Go accepts them.
  const isTwoBytes = tag === 0x1e && content.length % 2 === 0
  return isTwoBytes ? Buffer.from(content).swap16().toString('utf16le') : content.toString()
}

function attributesOf(subject: DerValue, type: string): readonly string[] {
  return childrenOf(subject)
    .flatMap(childrenOf)
    .map(childrenOf)
    .flatMap(([id, value]) =>
      id !== undefined && value !== undefined && oidText(id) === type ? [attributeText(value)] : [],
    )
}

function alternativeNames(extension: DerValue | undefined): AlternativeNames {
  const [list] = extension === undefined ? [] : (readDer(extension.content) ?? [])
  const of = (kind: keyof typeof nameTags): readonly Buffer[] =>
    childrenOf(list)
      .filter(({ tag }) => tag === nameTags[kind])
      .map(({ whole }) => whole)
  return { dns: of('dns'), email: of('email'), ip: of('ip'), uri: of('uri') }
}

/** In the order of a subject: country, organization and its unit, locality, province, street, postal code, name, serial number. */
const subjectTypes = [6, 10, 11, 7, 8, 9, 17, 3, 5].map((number) => `2.5.4.${number}`)

function attribute(type: string, text: string): Buffer {
  const tag = /^[\w'()+,\-./ :=?]*$/.test(text) && !text.includes('_') ? tags.printable : tags.utf8
  return sequence(oid(type), der(tag, Buffer.from(text)))
}

/** The subject as Go writes it: values of one type together, other types left out. Source: crypto/x509/pkix Name.ToRDNSequence. */
function certificateSubject(subject: DerValue): Buffer {
  const parts = subjectTypes.flatMap((type) => {
    const texts = attributesOf(subject, type)
    // Of these two, Go has one value.
    const isSingle = type === oids.commonName || type === oids.serialNumber
    const kept = isSingle ? texts.slice(-1).filter((text) => text !== '') : texts
    const values = kept.map((text) => attribute(type, text))
    return values.length === 0
      ? []
      : [der(tags.set, ...values.toSorted((a, b) => Buffer.compare(a, b)))]
  })
  return sequence(...parts)
}

/** The requested subjectAltName. */
function requestedNames(attributes: DerValue | undefined): AlternativeNames {
  const requests = childrenOf(attributes).map(childrenOf)
  const extensions = requests
    .filter(([type]) => type !== undefined && oidText(type) === oids.extensionRequest)
    .flatMap(([, values]) => childrenOf(values))
    .flatMap(childrenOf)
    .map(childrenOf)
  const found = extensions.find(
    ([type]) => type !== undefined && oidText(type) === oids.subjectAltName,
  )
  return alternativeNames(found?.at(-1))
}

const failures = {
  RSA: 'crypto/rsa: verification error',
  ECDSA: 'x509: ECDSA verification failure',
  Ed25519: 'x509: Ed25519 verification failure',
}

const unimplemented = 'x509: cannot verify signature: algorithm unimplemented'

function isVerified(key: KeyObject, hash: string | null, signed: Buffer, signature: Buffer) {
  try {
    return verify(hash, signed, { key, padding: constants.RSA_PKCS1_PADDING }, signature)
  } catch {
    return false
  }
}

/** Source: crypto/rsa checkKeySize. */
function sizeProblem({ asymmetricKeyDetails }: KeyObject): string {
  const bits = asymmetricKeyDetails?.modulusLength ?? 1024
  return bits >= 1024
    ? ''
    : `crypto/rsa: ${bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`
}

/** Empty: the signature is valid. Source: crypto/x509 checkSignature. */
function signatureProblem(
  key: KeyObject,
  algorithm: string,
  signed: Buffer,
  signature: Buffer,
): string {
  if (algorithm === md5WithRsa) return 'x509: cannot verify signature: insecure algorithm MD5-RSA'
  const [type, goType] = keyTypes.get(key.asymmetricKeyType) ?? []
  const { keys, hash } = algorithms.get(algorithm) ?? {}
  if (keys === undefined || hash === undefined || type === undefined) return unimplemented
  if (keys !== type)
    return `x509: signature algorithm specifies an ${keys} public key, but have public key of type ${goType}`
  const ofSize = sizeProblem(key)
  if (ofSize !== '') return ofSize
  return isVerified(key, hash, signed, signature) ? '' : failures[keys]
}

function publicKeyOf(info: DerValue): KeyObject | undefined {
  try {
    return createPublicKey({ key: info.whole, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/**
 * Reads a request in PEM and verifies its signature. The error is in Go's words, except where the request is not well formed.
 * Source: pkg/apis/certificates/helpers.go ParseCSR, crypto/x509 CheckSignature.
 */
export function parseCertificateRequest(pem: string): Result<CertificateRequest, string> {
  const [block] = pemBlocks(pem)
  if (block?.type !== 'CERTIFICATE REQUEST') {
    return err('PEM block type must be CERTIFICATE REQUEST')
  }
  const [whole, ...more] = readDer(block.bytes) ?? []
  const [info, algorithm, signature] = childrenOf(whole)
  const [, subject, publicKey, attributes] = childrenOf(info)
  const [algorithmOid] = childrenOf(algorithm)
  if (info === undefined || subject === undefined || publicKey === undefined) return err(malformed)
  if (algorithmOid === undefined || signature?.tag !== tags.bitString) return err(malformed)
  if (more.length > 0) return err(malformed)
  const key = publicKeyOf(publicKey)
  if (key === undefined) return err(malformed)
  if (key.asymmetricKeyType === 'ec' && !curves.has(key.asymmetricKeyDetails?.namedCurve))
    return err('x509: unsupported elliptic curve')
  const signedBy = oidText(algorithmOid)
  const problem = signatureProblem(key, signedBy, info.whole, signature.content.subarray(1))
  if (problem !== '') return err(problem)
  return ok({
    subject: certificateSubject(subject),
    organizations: attributesOf(subject, oids.organization),
    commonName: attributesOf(subject, oids.commonName).at(-1) ?? '',
    names: requestedNames(attributes),
    publicKey: publicKey.whole,
  })
}
