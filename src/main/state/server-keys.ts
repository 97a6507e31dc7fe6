import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fileErrorText, isMissing } from '../files/file-error.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { Log } from '../kubelet/ports.ts'
import { newServerKeys } from '../sandbox/surface/serving-certificates.ts'
import type { ServerKeys } from '../sandbox/surface/serving-certificates.ts'
import { asidePath } from './aside-path.ts'

/** Kept keys. */
interface KeptKeys {
  readonly keys: ServerKeys
  /** A sentence for the user about keys that were set aside; empty otherwise. */
  readonly note: string
}

const fileName = 'keys.pem'
const maxBytes = 64 * 1024
const pem = /-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/g

function isP256({ asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

/** Error: a part of a sentence. */
function parsed(text: string): Result<ServerKeys, string> {
  const [certificatePem, keyPem, tokenKeyPem] = text.match(pem) ?? []
  if (certificatePem === undefined || keyPem === undefined || tokenKeyPem === undefined)
    return err('it needs a certificate and two keys in PEM')
  try {
    const certificate = new X509Certificate(certificatePem)
    const key = createPrivateKey(keyPem)
    if (!certificate.ca || !certificate.checkPrivateKey(key))
      return err('its first key is not the one of its CA')
    if (!isP256(key) || !isP256(createPrivateKey(tokenKeyPem)))
      return err('its keys are not of the type P-256')
    if (Date.parse(certificate.validTo) < Date.now())
      return err(`its CA expired at ${certificate.validTo}`)
  } catch {
    return err('its certificate or one of its keys cannot be read')
  }
  return ok({ authority: { certificatePem, keyPem }, tokenKeyPem })
}

/**
 * The CA and the token key of the API server whose state the folder has; new ones where there are none yet. A damaged file is set
 * aside. Error: one sentence.
 */
export async function openServerKeys(folder: string, log: Log): Promise<Result<KeptKeys, string>> {
  const path = join(folder, fileName)
  let text: string | undefined
  try {
    text = (await readRegularFile(path, { maxBytes })).bytes.toString()
  } catch (error) {
    if (!isMissing(error)) return err(failure(path, 'read', error))
  }
  const kept = text === undefined ? undefined : parsed(text)
  if (kept?.ok === true) return ok({ keys: kept.value, note: '' })
  const keys = await newServerKeys()
  const { certificatePem, keyPem } = keys.authority
  try {
    const note = kept === undefined ? '' : await setAside(path, kept.error, log)
    await replaceFile(path, `${certificatePem}\n${keyPem}\n${keys.tokenKeyPem}\n`)
    return ok({ keys, note })
  } catch (error) {
    return err(failure(path, 'written', error))
  }
}

async function setAside(path: string, reason: string, log: Log): Promise<string> {
  const aside = asidePath(path)
  await rename(path, aside)
  log.error('damaged keys were set aside', { path, aside, reason })
  return `The keys of the sandbox's API server in ${path} are damaged (${reason}). They were moved to ${aside}, and the API server has new ones: it refuses client certificates and tokens from before.`
}

function failure(path: string, what: 'read' | 'written', error: unknown): string {
  return `The keys of the sandbox's API server in ${path} cannot be ${what}, ${fileErrorText(error)}. Free space or repair access, or use --data-dir or --ephemeral.`
}
