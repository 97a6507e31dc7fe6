import { describe, expect, it } from 'vitest'
import { resourceTypes } from './resource-types.ts'
import { configMaps, pod, pods, serverUnderTest } from '../fake-client.ts'

// Names of properties that every JavaScript object inherits.
const inherited = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'toString',
  'valueOf',
  '__defineGetter__',
  '__lookupSetter__',
]

function rootOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

describe.each(inherited)('the name %s', (name) => {
  it('selects nothing by label, and refuses as a field, on every resource', async () => {
    const { client } = serverUnderTest()
    await client.post(pods, pod('web'))
    for (const type of resourceTypes) {
      const path = `${rootOf(type)}/${type.plural}`
      const all = await client.names(path)
      const isLabel = !name.startsWith('_')
      for (const selector of [name, `${name}=x`, `${name} in (x)`, `${name}>1`]) {
        const answer = await client.get(path, { labelSelector: selector })
        expect(answer.code, `${path} ${selector}`).toBe(isLabel ? 200 : 400)
        if (isLabel) expect(answer.body['items'], `${path} ${selector}`).toEqual([])
      }
      for (const selector of [`!${name}`, `${name}!=x`, `${name} notin (x)`]) {
        if (!isLabel) continue
        const selected = await client.names(path, { labelSelector: selector })
        expect(selected, `${path} ${selector}`).toEqual(all)
      }
      for (const field of [name, `metadata.${name}`, `spec.${name}`]) {
        const answer = await client.get(path, { fieldSelector: `${field}=x` })
        expect(answer.code, `${path} ${field}`).toBe(400)
      }
    }
  })

  it('deletes nothing by selector', async () => {
    const { client } = serverUnderTest()
    await client.post(pods, pod('web'))
    await client.send('DELETE', pods, { query: { labelSelector: name } })
    expect(await client.names(pods)).toEqual(['web'])
  })

  it('is not a resource, group, subresource or object', async () => {
    const { client } = serverUnderTest()
    await client.post(pods, pod('web'))
    for (const path of [
      `/${name}`,
      `/api/${name}`,
      `/apis/${name}`,
      `/apis/${name}/v1`,
      `/apis/apps/${name}`,
      `/openapi/v3/${name}`,
      `/api/v1/${name}`,
      `/api/v1/namespaces/default/${name}`,
      `${pods}/${name}`,
      `${pods}/web/${name}`,
      `/api/v1/nodes/${name}`,
      `/api/v1/namespaces/${name}`,
    ]) {
      expect((await client.get(path)).code, path).toBe(404)
      const posted = await client.post(path, pod('web'))
      expect([404, 405], `POST ${path}`).toContain(posted.code)
      expect([404, 405], `PATCH ${path}`).toContain((await client.patch(path, {})).code)
      expect([404, 405], `DELETE ${path}`).toContain((await client.delete(path)).code)
    }
  })

  it('is an ordinary key in data, labels and unknown fields, in every kind of write', async () => {
    const { client } = serverUnderTest()
    const before = Object.getOwnPropertyNames(Object.prototype)
    const keyed = JSON.parse(`{"${name}":"v","other":"w"}`) as object
    const created = await client.post(configMaps, {
      metadata: { name: 'c' },
      data: keyed,
      [name]: { polluted: true },
    })
    const path = `${configMaps}/c`
    expect(created.code).toBe(201)
    expect(JSON.stringify(created.body['data'])).toContain(`"${name}":"v"`)
    const writes: readonly (readonly [unknown, 'json' | 'merge' | 'strategic'])[] = [
      [{ data: JSON.parse(`{"${name}":"x"}`) }, 'strategic'],
      [{ data: JSON.parse(`{"${name}":"x"}`) }, 'merge'],
      [[{ op: 'add', path: `/data/${name}`, value: 'x' }], 'json'],
      [[{ op: 'replace', path: `/data/${name}`, value: 'x' }], 'json'],
    ]
    for (const [body, type] of writes) {
      const patched = await client.patch(path, body, type)
      expect(patched.code).toBe(200)
      expect(JSON.stringify(patched.body['data'])).toContain(`"${name}":"x"`)
      expect(Object.getPrototypeOf(patched.body['data'])).toBe(Object.prototype)
    }
    const removed = await client.patch(path, { data: JSON.parse(`{"${name}":null}`) }, 'merge')
    expect(Object.keys(removed.body['data'] as object)).toEqual(['other'])
    const deep = [{ op: 'add', path: `/data/${name}/polluted`, value: 'x' }]
    expect((await client.patch(path, deep, 'json')).code).toBe(422)
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  })

  it('is not a priority class, kind or version', async () => {
    const { client } = serverUnderTest()
    const spec = { containers: [{ name: 'c', image: 'i' }], priorityClassName: name }
    expect((await client.post(pods, { ...(pod('p') as object), spec })).code).not.toBe(201)
    expect((await client.post(pods, { ...(pod('p') as object), kind: name })).code).toBe(400)
    expect((await client.post(pods, { ...(pod('p') as object), apiVersion: name })).code).toBe(400)
  })

  it('is not a query parameter', async () => {
    const { client } = serverUnderTest()
    for (const option of ['resourceVersion', 'limit', 'continue', 'timeoutSeconds', 'dryRun'])
      expect((await client.get(pods, { [option]: name })).code, option).toBeLessThan(500)
    expect((await client.get(pods, { [name]: '1' })).code).toBe(200)
  })
})
