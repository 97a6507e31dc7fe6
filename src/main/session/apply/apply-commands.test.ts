import { afterEach, describe, expect, it } from 'vitest'
import type { ApplyReport } from '../../../shared/model/apply/apply-yaml.ts'
import { MemorySandbox } from '../../../../test/memory-sandbox/memory-sandbox.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { parseInPlace } from '../../parsing/kubernetes-text.ts'
import { ApplyCommands, applyReceipt } from './apply-commands.ts'
import { warningTexts } from './warning-texts.ts'

const opened: MemorySandbox[] = []

afterEach(() => {
  for (const memory of opened.splice(0)) memory.sandbox.stop()
})

function stage(readOnly = '') {
  const startAt = Date.UTC(2026, 10, 24, 12)
  const memory = new MemorySandbox({ seed: 7, startAt, nodeNames: ['n1'], log: new FakeLog() })
  opened.push(memory)
  memory.sandbox.start()
  const transport = memory.sandbox.adminTransport
  const commands = new ApplyCommands({
    transport,
    parse: parseInPlace,
    readOnly: () => readOnly,
    namespace: 'default',
  })
  const run = async (text: string, options = {}): Promise<ApplyReport> => {
    const report = await commands.apply({ text, dryRun: false, force: false, ...options })
    if (!report.ok) throw new Error(report.error.message)
    return report.value
  }
  return { api: new TransportApiClient({ transport }), commands, run }
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: app
        image: nginx:1
`
const service = `# the way in
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: web
  ports:
  - port: 80
`

function outcomes({ objects }: ApplyReport): readonly string[] {
  return objects.map(({ name, namespace, outcome }) => `${namespace} ${name} ${outcome}`)
}

function places({ problems }: Pick<ApplyReport, 'problems'>): readonly string[] {
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

describe('applying a text', () => {
  it('creates each object of several documents, and a dry run of the same text stores nothing', async () => {
    const { api, run } = stage()
    const text = `${deployment}---\n${service}`
    const created = ['default deployment.apps/web created', 'default service/web created']
    expect(outcomes(await run(text, { dryRun: true }))).toEqual(created)
    const address = { resource: 'apps/v1/deployments', namespace: 'default', name: 'web' } as const
    expect(await api.get(address)).toMatchObject({ ok: false })
    const report = await run(text)
    expect(outcomes(report)).toEqual(created)
    expect(applyReceipt(report)).toBe('deployment.apps/web created, service/web created')
    expect(await api.get(address)).toMatchObject({ ok: true, value: { spec: { replicas: 2 } } })
    expect(outcomes(await run(text))).toEqual([
      'default deployment.apps/web unchanged',
      'default service/web unchanged',
    ])
  })

  it('shows what a change of a stored object changes, without status and managedFields', async () => {
    const { run } = stage()
    await run(deployment)
    const report = await run(deployment.replace('replicas: 2', 'replicas: 3'), { dryRun: true })
    const [web] = report.objects
    expect(web?.outcome).toBe('configured')
    expect(web?.diff.filter(({ kind }) => kind === 'removed' || kind === 'added')).toEqual([
      { kind: 'removed', text: '  replicas: 2' },
      { kind: 'added', text: '  replicas: 3' },
    ])
  })

  it('hides the values of Secrets', async () => {
    const { run } = stage()
    const secret = (value: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {key: ${value}, other: x}\n`
    await run(secret('hunter2'))
    const { objects } = await run(secret('hunter3'), { dryRun: true })
    const diff = JSON.stringify(objects[0]?.diff)
    expect(diff).toContain('*** (before)')
    expect(diff).toContain('*** (after)')
    expect(diff).not.toMatch(/hunter|aHVudGVy/)
  })

  it('places what the server refuses at the line of the field', async () => {
    const { run } = stage()
    const text = `${service}---\n${deployment.replace('name: app\n', 'name: App_1\n')}`
    const report = await run(text, { dryRun: true })
    expect(outcomes(report)).toEqual([
      'default service/web created',
      'default deployment.apps/web failed',
    ])
    expect(report.problems).toMatchObject([{ line: 27, column: 15, isConflict: false }])
    expect(report.problems[0]?.message).toMatch(
      /^spec\.template\.spec\.containers\[0\]\.name: Invalid value: "App_1": a lowercase RFC 1123 label/,
    )
  })

  it('says which fields another manager owns, and takes them over when it is forced', async () => {
    const { api, run } = stage()
    const metadata = { name: 'c', namespace: 'default' }
    await api.create(
      { resource: 'configmaps', namespace: 'default' },
      { metadata, data: { a: '1' } },
    )
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: "2"\n'
    const refused = await run(text, { dryRun: true })
    expect(refused.problems).toMatchObject([{ line: 6, isConflict: true }])
    expect(outcomes(await run(text, { force: true }))).toEqual(['default configmap/c configured'])
  })

  it('does not refuse objects in a namespace that the same text creates', async () => {
    const { run } = stage()
    const text = `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n---\n${service.replace('name: web', 'name: web\n  namespace: shop')}`
    const rehearsed = await run(text, { dryRun: true })
    expect(outcomes(rehearsed)).toEqual([' namespace/shop created', 'shop service/web created'])
    expect(rehearsed.objects[1]?.notes).toEqual([
      'Not checked by the server: the namespace shop is created in line 1, and a dry run creates nothing.',
    ])
    expect(outcomes(await run(text))).toEqual([
      ' namespace/shop created',
      'shop service/web created',
    ])
  })

  it('takes a definition and objects of its kinds in one text', async () => {
    const { commands, run } = stage()
    const definition = (plural: string, kind: string): string =>
      `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ${plural}, kind: ${kind}}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
---
`
    const car = 'apiVersion: example.com/v1\nkind: Car\nmetadata: {name: c}\n---\n'
    const boat = car.replace('Car', 'Boat')
    const text = `${definition('cars', 'Car')}${car}${definition('boats', 'Boat')}${boat}`
    expect(places(await commands.check(text))).toEqual([])
    const rehearsed = await run(text, { dryRun: true })
    expect(rehearsed.objects[1]?.notes).toEqual([
      'Not checked by the server: the kind Car is defined in line 1, and a dry run creates nothing.',
    ])
    expect(outcomes(await run(text))).toEqual([
      ' customresourcedefinition.apiextensions.k8s.io/cars.example.com created',
      'default car.example.com/c created',
      ' customresourcedefinition.apiextensions.k8s.io/boats.example.com created',
      'default boat.example.com/c created',
    ])
  })

  it('refuses kinds that the server does not have, and changes nothing where that is not allowed', async () => {
    const { run } = stage()
    const text = 'apiVersion: example.com/v1\nkind: Car\nmetadata: {name: c}\n'
    expect(places(await run(text))).toEqual([
      '2:7 no matches for kind "Car" in version "example.com/v1": the server does not have it.',
    ])
    const { commands } = stage('Nodescope was started with --read-only.')
    expect(await commands.apply({ text: service, dryRun: true, force: false })).toMatchObject({
      ok: false,
      error: { kind: 'read-only' },
    })
  })
})

describe('a text before its dry run', () => {
  it('names the kinds that the server does not have, at their lines', async () => {
    const { commands } = stage()
    const gone = 'apiVersion: apps/v1\nkind: Deplyment\nmetadata: {name: a}\n'
    expect(places(await commands.check(`${service}---\n${gone}`))).toEqual([
      '13:7 no matches for kind "Deplyment" in version "apps/v1": the server does not have it.',
    ])
  })

  it('has its objects with their lines, also those of a List', async () => {
    const { commands } = stage()
    const list =
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n'
    const { objects, problems } = await commands.check(
      `---\n${service}--- \n# nothing\n---\n${list}`,
    )
    expect(problems).toEqual([])
    expect(objects).toEqual([
      { line: 3, name: 'service/web', namespace: '' },
      { line: 18, name: 'pod/a', namespace: '' },
    ])
  })

  it('has each mistake at its line: YAML, unknown fields, types, repeated fields, no name', async () => {
    const { commands } = stage()
    const text = `${deployment.replace('replicas: 2', 'replicas: two\n  replica: 1')}---
apiVersion: v1
kind: Pod
metadata: {generateName: a-}
---
kind: ConfigMap
apiVersion: v1
metadata:
  name: c
data:
  a: "1"
  a: "2"
---
a: [1
`
    expect(places(await commands.check(text))).toEqual([
      '7:12 unknown field "spec.replica"',
      '6:13 json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
      '22:26 An object with generateName has no name to apply it to: set metadata.name, or create it with kubectl.',
      '30:3 This field stands there twice; the later one counts.',
      '33:1 This is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].',
    ])
  })

  it('is not applied in part when it has a mistake', async () => {
    const { api, run } = stage()
    const report = await run(`${service}---\nkind: Pod\nmetadata: {name: a}\n`)
    expect(places(report)).toEqual(['12:null apiVersion is not set.'])
    const address = { resource: 'services', namespace: 'default', name: 'web' } as const
    expect(await api.get(address)).toMatchObject({ ok: false })
  })
})

describe('warnings of a server', () => {
  it('are the quoted texts of the header', () => {
    expect(warningTexts('299 - "one, \\"two\\"", 299 - "three"')).toEqual(['one, "two"', 'three'])
    expect(warningTexts('')).toEqual([])
  })
})
