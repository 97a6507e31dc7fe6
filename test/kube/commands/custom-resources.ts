import { kubectl, refused, type CommandScenario, type TextDifference } from './command.ts'

const noDescriptions: TextDifference = {
  // Fields have a tab behind their name, descriptions have none.
  lines: /^( {4}(?!.*\t| *enum:).*)?$/,
  why: 'the table of kinds has no descriptions',
}

const storedHere: TextDifference = {
  lines: /^The request is invalid: patch/,
  why: 'the message has the object as it is stored here, without managed fields',
}

function definition(group: string): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `crontabs.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', shortNames: ['ct'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: 'A CronTab runs a command again and again.',
              properties: {
                spec: {
                  type: 'object',
                  description: 'What runs, and when.',
                  required: ['cronSpec'],
                  properties: {
                    cronSpec: {
                      type: 'string',
                      description: 'When it runs.',
                      pattern: '^[\\d* ]+$',
                    },
                    image: { type: 'string', default: 'registry.example/app:1' },
                    replicas: { type: 'integer', minimum: 0 },
                    level: { type: 'string', enum: ['low', 'high'] },
                    parts: {
                      type: 'array',
                      items: { type: 'object', properties: { name: { type: 'string' } } },
                    },
                    labels: { type: 'object', additionalProperties: { type: 'string' } },
                  },
                },
                status: {
                  type: 'object',
                  properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
                },
              },
            },
          },
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.selector',
            },
          },
          additionalPrinterColumns: [
            { name: 'Spec', type: 'string', jsonPath: '.spec.cronSpec' },
            { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
            { name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1 },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      ],
    },
  })
}

function cronTab(group: string, spec: object, name = 'my'): string {
  return JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: 'CronTab',
    metadata: { name },
    spec,
  })
}

const group = '<ns>.example.com'
const name = `crontabs.${group}`

/** CustomResourceDefinitions and their objects, as a user of kubectl has them. */
export const customResourceCommands: readonly CommandScenario[] = [
  {
    title: 'a definition, and the objects of its kind',
    steps: [
      kubectl('apply -f -', { stdin: definition(group), prints: /created/ }),
      kubectl(`wait --for condition=established --timeout=20s crd/${name}`, {
        prints: /condition met/,
      }),
      kubectl(`get crd ${name}`),
      kubectl(`api-resources --api-group=${group}`, { prints: /crontabs +ct/ }),
      kubectl('apply -f -', {
        stdin: cronTab(group, { cronSpec: '* * *', replicas: 1, labels: { a: 'b' } }),
        prints: /created/,
      }),
      kubectl('apply -f -', {
        stdin: cronTab(group, { cronSpec: '* * *', replicas: 1, labels: { a: 'b' } }),
        prints: /unchanged/,
      }),
      kubectl('apply -f -', {
        stdin: cronTab(group, { cronSpec: '* * 1', replicas: 2 }),
        prints: /configured/,
      }),
      refused('apply -f -', /unknown field "spec.typo"/, {
        differs: [storedHere],
        stdin: cronTab(group, { cronSpec: '* * 1', typo: 1 }),
      }),
      refused('apply -f -', /spec.cronSpec in body should match/, {
        stdin: cronTab(group, { cronSpec: 'x' }),
      }),
      refused('create -f -', /spec.cronSpec: Required value/, {
        stdin: cronTab(group, {}, 'other'),
      }),
      kubectl(`get ct.${group}`, { prints: /SPEC +REPLICAS +AGE/ }),
      kubectl(`get crontab.${group} -o wide`),
      kubectl(`get crontabs.${group} my -o yaml`, { prints: /image: registry.example/ }),
      kubectl(`get crontabs.${group} my -o jsonpath={.spec.replicas}`),
      kubectl(`describe crontab.${group} my`, { prints: /Cron Spec/ }),
      kubectl(`scale --replicas=3 crontab.${group}/my`, { prints: /scaled/ }),
      kubectl(
        `patch crontab.${group} my --type=merge --subresource=status -p '{"status":{"replicas":3,"selector":"a=b"}}'`,
        { prints: /patched/ },
      ),
      refused(`patch crontab.${group} my -p '{"spec":{"replicas":3}}'`, /unknown format/),
      kubectl(`label crontab.${group} my x=y`),
      kubectl(`annotate crontab.${group} my x=y`),
      kubectl(`get crontab.${group} my --subresource=status -o yaml`),
      kubectl(`apply --server-side --force-conflicts -f -`, {
        stdin: cronTab(group, { cronSpec: '* * 2' }),
      }),
      kubectl(`explain crontab.spec --api-version=${group}/v1`, { prints: /When it runs/ }),
      kubectl(`explain crontab.spec.parts.name --api-version=${group}/v1`),
      kubectl(`explain crontab --recursive --api-version=${group}/v1`, {
        prints: /cronSpec/,
      }),
      kubectl('explain crd.spec.names', { differs: [noDescriptions] }),
      kubectl(`delete crontab.${group} my`, { prints: /deleted/ }),
      kubectl('create -f -', { stdin: cronTab(group, { cronSpec: '1' }, 'last') }),
      kubectl(`delete crd ${name}`, { prints: /deleted/ }),
      refused(`get crontab.${group}`, /.../),
      refused('apply -f -', /ensure CRDs are installed first/, {
        stdin: cronTab(group, { cronSpec: '1' }),
      }),
    ],
  },
]
