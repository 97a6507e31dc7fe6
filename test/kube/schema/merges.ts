import type { JsonObject } from '../../../src/shared/json.ts'

/** A Deployment with every feature of strategic merges. */
export const mergedDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'merged', finalizers: ['x.io/a', 'x.io/b'], labels: { a: '1' } },
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        tolerations: [{ key: 'k', operator: 'Exists' }],
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'w', configMap: { name: 'cm' } },
        ],
        containers: [
          {
            name: 'c',
            image: 'x',
            ports: [{ containerPort: 80 }, { containerPort: 81, name: 'q' }],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          },
          { name: 'd', image: 'y' },
        ],
      },
    },
  },
}

function pod(spec: JsonObject): JsonObject {
  return { spec: { template: { spec } } }
}

/** Valid patches of it. */
export const merges: readonly JsonObject[] = [
  pod({ containers: [{ name: 'c', image: 'z' }] }),
  pod({ containers: [{ name: 'e', image: 'n' }] }),
  pod({ containers: [{ name: 'd', $patch: 'delete' }] }),
  pod({
    containers: [
      {
        name: 'c',
        env: [
          { name: 'B', $patch: 'delete' },
          { name: 'C', value: '3' },
        ],
      },
    ],
  }),
  pod({
    containers: [{ name: 'c', ports: [{ containerPort: 81, name: 'r' }, { containerPort: 82 }] }],
  }),
  pod({
    '$setElementOrder/containers': [{ name: 'd' }, { name: 'c' }],
    containers: [{ name: 'd', image: 'yy' }],
  }),
  pod({
    volumes: [
      { name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' }, emptyDir: null },
    ],
  }),
  pod({ tolerations: [{ key: 'other', operator: 'Exists' }] }),
  { metadata: { finalizers: ['x.io/c'] } },
  { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.io/a'] } },
  { metadata: { labels: { a: null, b: '2' } } },
  { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null } } },
  { spec: { template: { metadata: { labels: { $patch: 'replace', a: 'b', z: '1' } } } } },
  pod({ containers: [{ name: 'c', volumeMounts: [{ mountPath: '/w', name: 'w' }] }] }),
  pod({ containers: [{ $patch: 'replace' }, { name: 'only', image: 'o' }] }),
  pod({
    containers: [{ name: 'c', command: ['a', 'b'], resources: { limits: { cpu: '1' } } }],
  }),
  pod({
    nodeSelector: { a: 'b' },
    imagePullSecrets: [{ name: 's' }],
    hostAliases: [{ ip: '1.2.3.4', hostnames: ['h'] }],
  }),
  {
    metadata: {
      '$setElementOrder/finalizers': ['x.io/b', 'x.io/a'],
      finalizers: ['x.io/a'],
    },
  },
  {
    metadata: {
      '$setElementOrder/finalizers': ['x.io/d', 'x.io/b', 'x.io/a'],
      finalizers: ['x.io/d'],
    },
  },
]
