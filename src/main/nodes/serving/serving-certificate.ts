import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createSecureContext } from 'node:tls'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText, isMissing } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { replaceEntry } from '../../sources/manifest-entry.ts'
import { pemBlocks } from './pem.ts'

/** A certificate with those that sign it, and its key, in PEM. */
export interface ServingCertificate {
  readonly certificatePem: string
  readonly keyPem: string
}

/** Who serves. */
export interface ServedNode {
  readonly nodeName: string
  /** IPv4, or IPv6 without brackets. */
  readonly address: string
}

const maxBytes = 1024 * 1024

async function textOf(path: string): Promise<string> {
  return (await readRegularFile(path, { maxBytes })).bytes.toString()
}

/** Undefined unless the key is that of the first certificate. */
export function pairIn(certificates: string, keys: string): ServingCertificate | undefined {
  const chain = pemBlocks(certificates, 'CERTIFICATE')
  const [keyPem] = pemBlocks(keys, 'PRIVATE KEY')
  const [first] = chain
  if (first === undefined || keyPem === undefined) return undefined
  try {
    const certificatePem = chain.join('')
    const isPair = new X509Certificate(first).checkPrivateKey(createPrivateKey(keyPem))
    createSecureContext({ cert: certificatePem, key: keyPem })
    return isPair ? { certificatePem, keyPem } : undefined
  } catch {
    // No certificate, an encrypted key, or one that is too weak for TLS.
    return undefined
  }
}

/** From the two files of a user. The error is one sentence. */
export async function certificateOfFiles(
  certificatePath: string,
  keyPath: string,
): Promise<Result<ServingCertificate, string>> {
  const texts: string[] = []
  for (const path of [certificatePath, keyPath])
    try {
      texts.push(await textOf(path))
    } catch (error) {
      return err(`The serving certificate cannot be read: ${path}: ${fileErrorText(error)}.`)
    }
  const pair = pairIn(texts[0] ?? '', texts[1] ?? '')
  return pair === undefined
    ? err(
        `The serving certificate is not used: ${certificatePath} and ${keyPath} are not a certificate and its key in PEM that TLS can use.`,
      )
    : ok(pair)
}

/** One that an earlier start has kept, if it is for this node and address. The error is one sentence. */
export async function keptCertificate(
  path: string,
  { nodeName, address }: ServedNode,
): Promise<Result<ServingCertificate | undefined, string>> {
  try {
    const text = await textOf(path)
    const pair = pairIn(text, text)
    if (pair === undefined) return ok(undefined)
    const certificate = new X509Certificate(pair.certificatePem)
    const isOurs =
      certificate.checkIP(address) !== undefined && certificate.checkHost(nodeName) !== undefined
    return ok(isOurs ? pair : undefined)
  } catch (error) {
    if (isMissing(error)) return ok(undefined)
    return err(`The serving certificate ${path} cannot be read: ${fileErrorText(error)}.`)
  }
}

/** Keeps it for later starts; only this user can read it. The error is one sentence. */
export async function keepCertificate(
  path: string,
  { certificatePem, keyPem }: ServingCertificate,
): Promise<Result<undefined, string>> {
  const name = `The serving certificate ${path}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  } catch (error) {
    return err(`${name} cannot be kept: ${fileErrorText(error)}.`)
  }
  return replaceEntry(path, name, { bytes: Buffer.from(certificatePem + keyPem), mode: 0o600 })
}

/** When it should be replaced: after four fifths of its life (client-go util/certificate: 70 to 90 %). ms since 1970. */
export function renewalTime({ certificatePem }: ServingCertificate): number {
  const { validFrom, validTo } = new X509Certificate(certificatePem)
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  return from + (to - from) * 0.8
}
