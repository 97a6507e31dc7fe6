import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { clusterUnderTest } from './fake-cluster.ts'
import type { ClusterUnderTest } from './fake-cluster.ts'

const secrets = '/api/v1/namespaces/default/secrets'
const accounts = '/api/v1/namespaces/default/serviceaccounts'

let cluster: ClusterUnderTest
let client: ClusterUnderTest['client']

beforeEach(async () => {
  cluster = await clusterUnderTest()
  client = cluster.client
})

afterEach(() => {
  cluster.stop()
})

function secret(name: string, account: string, more: JsonObject = {}): JsonObject {
  const annotations = { 'kubernetes.io/service-account.name': account }
  return { metadata: { name, annotations }, type: 'kubernetes.io/service-account-token', ...more }
}

async function dataOf(name: string): Promise<JsonObject> {
  return objectAt((await client.get(`${secrets}/${name}`)).body, 'data')
}

function decoded(data: JsonObject, key: string): string {
  return Buffer.from(textAt(data, key), 'base64').toString()
}

describe('the controller of tokens', () => {
  it('gives a Secret a token that its account may use', async () => {
    await client.post(secrets, secret('mine', 'default'))
    await cluster.settle()
    const data = await dataOf('mine')
    expect(decoded(data, 'namespace')).toBe('default')
    expect(decoded(data, 'ca.crt')).toContain('BEGIN CERTIFICATE')
    expect(cluster.server.callerOfToken(decoded(data, 'token'))).toMatchObject({
      user: 'system:serviceaccount:default:default',
    })
  })

  it('leaves Secrets of other types and tokens that are there alone', async () => {
    await client.post(secrets, { metadata: { name: 'other' }, stringData: { a: 'b' } })
    await client.post(secrets, secret('given', 'default', { stringData: { token: 'own' } }))
    await cluster.settle()
    expect(Object.keys(await dataOf('other'))).toEqual(['a'])
    const data = await dataOf('given')
    expect(Object.keys(data).toSorted()).toEqual(['ca.crt', 'namespace', 'token'])
    expect(decoded(data, 'token')).toBe('own')
  })

  it('deletes a Secret whose account does not exist, at once or later', async () => {
    await client.post(accounts, { metadata: { name: 'leaving' } })
    await client.post(secrets, secret('lost', 'missing'))
    await client.post(secrets, secret('left', 'leaving'))
    await cluster.settle()
    expect((await client.get(`${secrets}/lost`)).code).toBe(404)
    expect((await client.get(`${secrets}/left`)).code).toBe(200)
    await client.delete(`${accounts}/leaving`)
    await cluster.settle()
    expect((await client.get(`${secrets}/left`)).code).toBe(404)
  })
})
