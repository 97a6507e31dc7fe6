import { generateKeyPairSync } from 'node:crypto'

/** A new P-256 key in PEM (PKCS #8). */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim()
}
