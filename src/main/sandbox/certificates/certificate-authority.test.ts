import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createServingCertificates } from '../surface/serving-certificates.ts'
import { CertificateAuthority } from './certificate-authority.ts'
import { parseCertificateRequest } from './certificate-request.ts'
import { pemText } from './der.ts'
import { requestPem } from './fake-certificate-request.ts'

describe('a request', () => {
  it.each(['ec', 'rsa', 'ed25519'] as const)('with a key of type %s is read', (kind) => {
    const read = parseCertificateRequest(requestPem({ kind }))
    if (!read.ok) throw new Error(read.error)
    const { organizations, commonName } = read.value
    expect({ organizations, commonName }).toEqual({
      organizations: ['system:nodes'],
      commonName: 'system:node:n1',
    })
    expect(read.value.names.dns).toHaveLength(1)
    expect(read.value.names.ip).toHaveLength(1)
  })

  it('is refused for another signature, another block and bytes that are no DER', () => {
    const other = (info: Buffer): Buffer => {
      const changed = Buffer.from(info)
      changed.write('system:node:n2', changed.indexOf('system:node:n1'))
      return changed
    }
    expect(parseCertificateRequest(requestPem({ damage: other }))).toEqual({
      ok: false,
      error: 'x509: ECDSA verification failure',
    })
    expect(parseCertificateRequest(requestPem({ kind: 'rsa', damage: other }))).toEqual({
      ok: false,
      error: 'crypto/rsa: verification error',
    })
    for (const pem of ['', 'x', pemText('CERTIFICATE', Buffer.from([1]))])
      expect(parseCertificateRequest(pem)).toEqual({
        ok: false,
        error: 'PEM block type must be CERTIFICATE REQUEST',
      })
    for (const bytes of [Buffer.alloc(0), Buffer.from([0x30, 0x82, 0xff]), Buffer.alloc(99, 0x30)])
      expect(parseCertificateRequest(pemText('CERTIFICATE REQUEST', bytes)).ok).toBe(false)
  })

  it.each([
    ['otherCurve', 'x509: unsupported elliptic curve'],
    [
      'shortRsa',
      'crypto/rsa: 768-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)',
    ],
    ['md5', 'x509: cannot verify signature: insecure algorithm MD5-RSA'],
  ] as const)('with a key or signature like %s is refused as by Go', (kind, error) => {
    expect(parseCertificateRequest(requestPem({ kind }))).toEqual({ ok: false, error })
  })
})

describe('a certificate authority', () => {
  it('signs what was asked for, as long as it was asked for', async () => {
    const { caPem: certificatePem, caKeyPem: keyPem } = await createServingCertificates()
    const now = Date.now()
    const authority = new CertificateAuthority({ certificatePem, keyPem }, now)
    const read = parseCertificateRequest(requestPem())
    if (!read.ok) throw new Error(read.error)
    const usages = ['digital signature', 'server auth']
    const signed = authority.sign(read.value, { usages, expirationSeconds: 3600, now })
    if (!signed.ok) throw new Error(signed.error)
    const certificate = new X509Certificate(signed.value)
    const ca = new X509Certificate(certificatePem)
    expect(certificate.verify(ca.publicKey)).toBe(true)
    expect(certificate.checkIssued(ca)).toBe(true)
    expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:n1')
    expect(certificate.subjectAltName).toBe('DNS:n1.example, IP Address:10.0.0.7')
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.ca).toBe(false)
    const second = 1000 * Math.floor(now / 1000)
    expect(Date.parse(certificate.validFrom)).toBe(second - 5 * 60 * 1000)
    expect(Date.parse(certificate.validTo)).toBe(second + 3600 * 1000)
    const long = authority.sign(read.value, { usages, expirationSeconds: undefined, now })
    if (!long.ok) throw new Error(long.error)
    const end = Date.parse(new X509Certificate(long.value).validTo)
    expect(end).toBe(second + (365 * 24 * 60 - 5) * 60 * 1000)
  })
})
