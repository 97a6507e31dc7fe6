import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { CertificateAuthority } from '../../certificates/certificate-authority.ts'
import { requestPem } from '../../certificates/fake-certificate-request.ts'
import { startAt } from '../../fake-client.ts'
import type { FakeClient } from '../../fake-client.ts'
import { createServingCertificates } from '../../surface/serving-certificates.ts'
import { clusterUnderTest } from '../fake-cluster.ts'

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const signers = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubelet: 'kubernetes.io/kube-apiserver-client-kubelet',
  serving: 'kubernetes.io/kubelet-serving',
}
const hourMs = 60 * 60 * 1000

function request(name: string, pem: string, spec: JsonObject): JsonObject {
  return { metadata: { name }, spec: { request: Buffer.from(pem).toString('base64'), ...spec } }
}

const approved = { type: 'Approved', status: 'True', reason: 'Test', message: 'by a test' }

async function cluster() {
  const { caPem: certificatePem, caKeyPem: keyPem } = await createServingCertificates()
  const authority = new CertificateAuthority({ certificatePem, keyPem }, startAt)
  const test = await clusterUnderTest(1, () => false, authority)
  const approve = (name: string) =>
    test.client.patch(`${requests}/${name}/approval`, { status: { conditions: [approved] } })
  return { ...test, approve, ca: new X509Certificate(certificatePem) }
}

async function statusOf(client: FakeClient, name: string): Promise<JsonObject> {
  return objectAt((await client.get(`${requests}/${name}`)).body, 'status')
}

function certificateIn(status: JsonObject): X509Certificate {
  return new X509Certificate(Buffer.from(textAt(status, 'certificate'), 'base64'))
}

it('signs an approved request, and not before', async () => {
  const { client, settle, approve, ca, stop } = await cluster()
  const spec = { signerName: signers.serving, usages: ['digital signature', 'server auth'] }
  expect((await client.post(requests, request('a', requestPem(), spec))).code).toBe(201)
  await settle()
  expect(await statusOf(client, 'a')).toEqual({})
  expect((await approve('a')).code).toBe(200)
  await settle()
  const certificate = certificateIn(await statusOf(client, 'a'))
  expect(certificate.verify(ca.publicKey)).toBe(true)
  expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:n1')
  stop()
})

it('marks an approved request as failed that its signer does not sign', async () => {
  const { client, settle, approve, stop } = await cluster()
  const spec = { signerName: signers.client, usages: ['server auth'] }
  await client.post(requests, request('a', requestPem({ organization: 'dev' }), spec))
  await client.post(
    requests,
    request('b', requestPem(), { signerName: 'example.com/own', usages: ['any'] }),
  )
  await approve('a')
  await approve('b')
  await settle()
  const [, failed] = objectsAt(await statusOf(client, 'a'), 'conditions')
  expect(failed).toMatchObject({
    type: 'Failed',
    status: 'True',
    reason: 'SignerValidationFailure',
    message: 'invalid usage for client certificate: server auth',
  })
  expect(await statusOf(client, 'b')).toEqual({ conditions: [expect.objectContaining(approved)] })
  stop()
})

it('approves the client certificate of a kubelet by itself', async () => {
  const { client, settle, stop } = await cluster()
  const spec = { signerName: signers.kubelet, usages: ['digital signature', 'client auth'] }
  await client.post(requests, request('a', requestPem({ names: [] }), spec))
  // A kubelet's client certificate has no alternative names.
  await client.post(requests, request('b', requestPem(), spec))
  await settle()
  const status = await statusOf(client, 'a')
  expect(objectsAt(status, 'conditions')).toMatchObject([
    {
      type: 'Approved',
      reason: 'AutoApproved',
      message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    },
  ])
  expect(certificateIn(status).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect(await statusOf(client, 'b')).toEqual({})
  stop()
})

it('deletes decided requests after an hour, and those that wait after a day', async () => {
  const { client, clock, approve, stop } = await cluster()
  const spec = { signerName: signers.serving, usages: ['digital signature', 'server auth'] }
  for (const name of ['decided', 'waiting'])
    await client.post(requests, request(name, requestPem(), spec))
  await approve('decided')
  await clock.advance(3 * hourMs)
  expect(await client.names(requests)).toEqual(['waiting'])
  await clock.advance(23 * hourMs)
  expect(await client.names(requests)).toEqual([])
  stop()
})
