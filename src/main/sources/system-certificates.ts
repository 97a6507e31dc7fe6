import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'

// The bundles of Linux distributions and BSDs, in the order in which Go tries them.
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
] as const

/** Absent in Node before 22.15, unlike in its types. */
const getSystemCertificates: typeof tls.getCACertificates | undefined = tls.getCACertificates

/** The certificate authorities that this machine trusts; undefined if unknown: then Node's own are used. */
export async function systemCertificates(): Promise<readonly string[] | undefined> {
  const known = getSystemCertificates?.('system') ?? []
  if (known.length > 0) return known
  for (const path of bundles) {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text.includes('BEGIN CERTIFICATE')) return [text]
  }
  return undefined
}
