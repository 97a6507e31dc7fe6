import { setTimeout as sleep } from 'node:timers/promises'
import { objectAt, textAt } from '../../src/shared/json.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Administrator } from './integration/administrator.ts'

/** What a Node's status says of its kubelet's server; 0: there is none. */
export async function kubeletPort(admin: Administrator, node: string): Promise<number> {
  const object = await admin.ask('GET', `/api/v1/nodes/${node}`)
  const endpoints = objectAt(objectAt(object, 'status'), 'daemonEndpoints')
  return Number(objectAt(endpoints, 'kubeletEndpoint')['Port'] ?? 0)
}

/** The port of a kubelet's server, once the Node has it. */
export async function servedPort(admin: Administrator, node: string): Promise<number> {
  for (let tries = 0; tries < 300; tries++) {
    const port = await kubeletPort(admin, node).catch(() => 0)
    if (port !== 0) return port
    await sleep(100)
  }
  throw new Error(`the Node ${node} has no port of a kubelet's server`)
}

/** What kube-controller-manager does with an approved request for a certificate. */
export async function signRequest(
  plane: ControlPlane,
  admin: Administrator,
  name: string,
): Promise<void> {
  const path = `/apis/certificates.k8s.io/v1/certificatesigningrequests/${name}`
  const object = await admin.ask('GET', path)
  const encoded = textAt(objectAt(object, 'spec'), 'request')
  const certificate = await plane.sign(Buffer.from(encoded, 'base64').toString())
  const status = {
    ...objectAt(object, 'status'),
    certificate: Buffer.from(certificate).toString('base64'),
  }
  await admin.ask('PUT', `${path}/status`, { ...object, status })
}

/** Approves a request for a certificate, as kubectl certificate approve does. */
export async function approveRequest(admin: Administrator, name: string): Promise<void> {
  const path = `/apis/certificates.k8s.io/v1/certificatesigningrequests/${name}`
  const object = await admin.ask('GET', path)
  const approved = { type: 'Approved', status: 'True', reason: 'Test', message: 'by a test' }
  const status = { ...objectAt(object, 'status'), conditions: [approved] }
  await admin.ask('PUT', `${path}/approval`, { ...object, status })
}
