import { describe, expect, it } from 'vitest'
import { nodeHash } from '../clock/node-hash.ts'
import { readStaticPod } from './static-pod-manifest.ts'
import type { ManifestReading } from './static-pod-manifest.ts'

function read(text: string, location = '/m/web.yaml', nodeName = 'node1'): ManifestReading {
  return readStaticPod(text, { source: 'file', nodeName, location, hash: nodeHash })
}

function problemOf(text: string, nodeName = 'node1'): string {
  const reading = read(text, '/m/web.yaml', nodeName)
  if (reading.kind === 'pod') throw new Error('accepted')
  const { line, column, message } = reading.problem
  return `${line}:${column} ${message}`
}

function uidOf(...given: Parameters<typeof read>): string {
  const reading = read(...given)
  if (reading.kind !== 'pod') throw new Error(reading.problem.message)
  return reading.pod.metadata.uid
}

const web = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {app: web}
spec:
  containers:
    - name: c
      image: nginx:1.27
`

describe('readStaticPod', () => {
  it('sets the pod’s defaults, and the fields that the kubelet adds to a static pod', () => {
    const reading = read(web)
    if (reading.kind !== 'pod') throw new Error(reading.problem.message)
    const { uid } = reading.pod.metadata
    expect(uid).toMatch(/^[0-9a-f]{32}$/)
    expect(reading.warnings).toEqual([])
    expect(reading.pod).toMatchObject({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web-node1',
        namespace: 'default',
        labels: { app: 'web' },
        annotations: { 'kubernetes.io/config.hash': uid },
      },
      spec: {
        nodeName: 'node1',
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
        containers: [{ name: 'c', image: 'nginx:1.27', imagePullPolicy: 'IfNotPresent' }],
      },
      status: { phase: 'Pending' },
    })
  })

  it('derives the UID from content, path and node, not from comments, order, layout or format', () => {
    const json = JSON.stringify({
      spec: { containers: [{ image: 'nginx:1.27', name: 'c' }] },
      kind: 'Pod',
      metadata: { labels: { app: 'web' }, name: 'web' },
      apiVersion: 'v1',
    })
    const uid = uidOf(web)
    expect(uidOf(`# a comment\n${web}\n`)).toBe(uid)
    expect(uidOf(json)).toBe(uid)
    expect(uidOf(web.replace('1.27', '1.28'))).not.toBe(uid)
    expect(uidOf(web, '/m/other.yaml')).not.toBe(uid)
    expect(uidOf(web, '/m/web.yaml', 'node2')).not.toBe(uid)
  })

  it('keeps the UID that a manifest sets', () => {
    const reading = read(web.replace('name: web', 'name: web\n  uid: mine'))
    expect(reading).toMatchObject({ kind: 'pod', pod: { metadata: { uid: 'mine' } } })
  })

  it.each([
    ['a: [', /^1:5 This is not valid YAML: /],
    ['', /^null:null The file is empty\.$/],
    ['---\n---\nkind: Pod', /^null:null The first document of this file is empty\.$/],
    ['just text', /^null:null This is not a Kubernetes object\.$/],
    ['apiVersion: v1', /^null:null The kind is missing; it should be Pod\.$/],
    ['kind: Pod', /^null:null The apiVersion is missing; it should be v1\.$/],
    [web.replace('v1', 'v2'), /^1:13 The apiVersion of a Pod must be v1, not v2\.$/],
    [
      'apiVersion: apps/v1\nkind: Deployment',
      /^2:7 This is a Deployment; only a Pod can be a static pod, one per file\.$/,
    ],
    [
      'apiVersion: v1\nkind: List\nitems: []',
      /^2:7 This is a List; only a Pod can be a static pod, one per file\.$/,
    ],
    [web.replace('  name: web\n', ''), /^4:3 The pod has no name; metadata\.name is required\.$/],
    ['apiVersion: v1\nkind: Pod', /^null:null The pod has no name; metadata\.name is required\.$/],
  ])('refuses %j in one sentence', (text, problem) => {
    expect(problemOf(text)).toMatch(problem)
  })

  it('reports the position of a field of the wrong type, with the decoder’s message', () => {
    expect(problemOf(web.replace('app: web', 'app: y'))).toBe(
      '5:17 The pod is invalid: json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string.',
    )
    expect(problemOf(web.replace('name: web', 'name: 12'))).toBe(
      '4:9 The pod is invalid: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string.',
    )
  })

  it('warns about unknown fields and ignores them, like the kubelet', () => {
    const reading = read(web.replace('      image:', '      imag: x\n      image:'))
    if (reading.kind !== 'pod') throw new Error(reading.problem.message)
    expect(reading.warnings).toEqual([
      {
        line: 9,
        column: 13,
        message: 'A pod has no field spec.containers[0].imag; the kubelet ignores it.',
      },
    ])
    expect(reading.pod.metadata.uid).toBe(uidOf(web))
  })

  it('reports the position of the first invalid field, and all invalid fields', () => {
    const broken = web.replace('name: web', 'name: Web').replace('      image: nginx:1.27\n', '')
    expect(problemOf(broken)).toMatch(
      /^4:9 The pod is invalid: metadata\.name: Invalid value: "Web": .*; spec\.containers\[0\]\.image: Required value\.$/,
    )
  })

  it('refuses a name that is too long with the node’s name as suffix', () => {
    const long = web.replace('name: web', `name: ${'a'.repeat(250)}`)
    expect(problemOf(long, 'node1')).toMatch(/^4:9 The pod is invalid: metadata\.name: /)
  })

  it('refuses a static pod that references API objects', () => {
    expect(problemOf(`${web}  serviceAccountName: me\n`)).toBe(
      '7:3 This cannot be a static pod: static pods may not reference serviceaccounts.',
    )
  })
})
