import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'

// Where Linux distributions and BSDs keep what they trust, as Go looks for it; the first that is there counts.
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
] as const

/** Absent in Node before 22.15, whatever its types say. */
const getSystemCertificates: typeof tls.getCACertificates | undefined = tls.getCACertificates

/** The authorities that this machine trusts; undefined where it does not say: then those that Node brings. */
export async function systemCertificates(): Promise<readonly string[] | undefined> {
  const known = getSystemCertificates?.('system') ?? []
  if (known.length > 0) return known
  for (const path of bundles) {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text.includes('BEGIN CERTIFICATE')) return [text]
  }
  return undefined
}
