import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { objectAt, textAt } from '../../../shared/json.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import { fileErrorText } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { missingRight } from './missing-right.ts'
import { pemBlocks } from './pem.ts'

const maxBytes = 1024 * 1024

/** Where API servers publish the CAs of their client certificates. */
const published = {
  resource: 'configmaps',
  namespace: 'kube-system',
  name: 'extension-apiserver-authentication',
} as const
const field = 'client-ca-file'

function certificatesIn(text: string, source: string): Result<readonly string[], string> {
  const blocks = pemBlocks(text, 'CERTIFICATE')
  try {
    for (const block of blocks) new X509Certificate(block)
    createSecureContext({ ca: [...blocks] })
  } catch {
    return err(`${source} has a certificate that cannot be read: client certificates are refused.`)
  }
  return blocks.length === 0
    ? err(`${source} has no certificate: client certificates are refused.`)
    : ok(blocks)
}

/** The CAs of client certificates in a file, PEM. The error is one sentence. */
export async function clientCasOfFile(path: string): Promise<Result<readonly string[], string>> {
  try {
    const { bytes } = await readRegularFile(path, { maxBytes })
    return certificatesIn(bytes.toString(), `The clientCAFile ${path}`)
  } catch (error) {
    return err(
      `The clientCAFile ${path} cannot be read: ${fileErrorText(error)}; client certificates are refused.`,
    )
  }
}

/** The CAs that the API server itself accepts client certificates of, its own to kubelets among them. */
export async function clientCasOfCluster(
  transport: Transport,
): Promise<Result<readonly string[], string>> {
  const map = await new TransportApiClient({ transport }).get(published)
  const { resource, namespace, name } = published
  if (map.ok)
    return certificatesIn(
      textAt(objectAt({ ...map.value }, 'data'), field),
      `The ConfigMap ${namespace}/${name}`,
    )
  const why = missingRight({ group: '', resource, verb: 'get', name, namespace }, map.error)
  return err(
    `The kubelet’s server accepts no client certificates, not even the API server’s for kubectl logs, because it cannot read their CA: ${why}`,
  )
}
