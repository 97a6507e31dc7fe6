import { createdPod } from './objects.ts'
import { kubectl, refused, type CommandScenario, type TextDifference } from './command.ts'

const ownDescriptions: TextDifference = {
  lines: /^( {4}.*|)$/,
  why: 'the table of kinds has no descriptions',
}

const serviceYaml = `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{port: 80, targetPort: http}]
`

const claimYaml = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: ""
  resources: {requests: {storage: 1Gi}}
`

const volumeYaml = `apiVersion: v1
kind: PersistentVolume
metadata: {name: <ns>-disk}
spec:
  accessModes: [ReadWriteOnce]
  capacity: {storage: 1Gi}
  hostPath: {path: /data}
`

const classesYaml = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: <ns>-fast}
provisioner: example.com/disks
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: <ns>-vm}
handler: vm
overhead: {podFixed: {cpu: 250m}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: <ns>-high}
value: 1000
description: for what must run
`

/** Commands about objects that pods reference. */
export const referenceCommands: readonly CommandScenario[] = [
  {
    title: 'secrets',
    steps: [
      kubectl('create secret generic keys --from-literal=a=one --from-literal=b=two', {
        prints: /^secret\/keys created$/m,
      }),
      refused('create secret generic keys', /already exists/),
      kubectl(
        'create secret docker-registry pull --docker-server=registry.example --docker-username=u --docker-password=p',
        { prints: /created/ },
      ),
      refused('create secret tls pair --cert=/nowhere --key=/nowhere', /./),
      kubectl('get secrets', { prints: /^pull +kubernetes\.io\/dockerconfigjson +1/m }),
      kubectl('get secrets -o wide'),
      kubectl('get secret keys -o yaml', { prints: /a: b25l/ }),
      kubectl('get secrets --field-selector type=Opaque -o name', { prints: /^secret\/keys$/m }),
      kubectl('describe secret keys', { prints: /^a: +3 bytes$/m }),
      kubectl(`patch secret keys -p '{"stringData":{"c":"three"}}'`, { prints: /patched/ }),
      kubectl('get secret keys -o jsonpath={.data}', { prints: /"c":"dGhyZWU="/ }),
      kubectl('create configmap files --from-literal=a=one', { prints: /created/ }),
      kubectl('create serviceaccount robot', { prints: /created/ }),
      kubectl('describe serviceaccount robot'),
      kubectl('delete secret keys', { prints: /deleted/ }),
      refused('get secret keys', /NotFound/),
    ],
  },
  {
    title: 'services',
    steps: [
      kubectl('apply -f -', { stdin: serviceYaml, prints: /^service\/web created$/m }),
      kubectl('apply -f -', { stdin: serviceYaml, prints: /^service\/web unchanged$/m }),
      kubectl('apply -f -', {
        stdin: serviceYaml.replace('port: 80', 'port: 81'),
        prints: /^service\/web configured$/m,
      }),
      kubectl('create service clusterip plain --tcp=80:8080', { prints: /created/ }),
      kubectl('create service nodeport open --tcp=80 --node-port=30044', { prints: /created/ }),
      refused('create service nodeport again --tcp=80 --node-port=30044', /already allocated/),
      kubectl('create service externalname db --external-name db.example.com', {
        prints: /created/,
      }),
      kubectl('get services', { prints: /^db +ExternalName +<none> +db\.example\.com/m }),
      kubectl('get services -o wide', { prints: /app=web/ }),
      // A repair loop of a real server may write an event about an address that was allocated a moment ago.
      kubectl('describe service web --show-events=false', { prints: /^Type: +ClusterIP$/m }),
      createdPod('web', { metadata: { labels: { app: 'web' } } }),
      kubectl('expose pod web --port=9000 --name=exposed', { prints: /service\/exposed exposed/ }),
      kubectl('get service exposed -o jsonpath={.spec.selector}', { prints: /"app":"web"/ }),
      refused('create -f -', /spec\.ports: Required value/, {
        stdin: 'apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec: {}\n',
      }),
      // Its port is free for the next version of kubectl.
      kubectl('delete service plain open', { prints: /"open" deleted/ }),
      kubectl('explain service.spec.clusterIP', { prints: /<string>/, differs: [ownDescriptions] }),
    ],
  },
  {
    title: 'claims, volumes and classes',
    steps: [
      kubectl('apply -f -', { stdin: claimYaml, prints: /created/ }),
      kubectl('apply -f -', { stdin: volumeYaml, prints: /created/ }),
      kubectl('apply -f -', { stdin: classesYaml, prints: /priorityclass.*created/ }),
      kubectl('get pvc', { prints: /^data +Pending/m }),
      kubectl('get pvc -o wide', { prints: /Filesystem$/m }),
      kubectl('get pv <ns>-disk', { prints: /RWO +Retain +Pending/ }),
      kubectl('get pv <ns>-disk -o wide'),
      kubectl('get storageclass <ns>-fast', { prints: /example\.com\/disks +Delete +Immediate/ }),
      kubectl('get priorityclass <ns>-high', { prints: /1000 +false/ }),
      kubectl('get pc system-node-critical', { prints: /2000001000/ }),
      kubectl('get runtimeclass <ns>-vm', { prints: /vm/ }),
      kubectl('describe pvc data', { prints: /^Status: +Pending$/m }),
      kubectl('describe pv <ns>-disk', { prints: /^Reclaim Policy: +Retain$/m }),
      kubectl('describe storageclass <ns>-fast', { prints: /^Provisioner: +example/m }),
      kubectl('describe priorityclass <ns>-high', { prints: /^Value: +1000$/m }),
      kubectl('describe runtimeclass <ns>-vm'),
      kubectl('create priorityclass <ns>-low --value=-10 --description=low', {
        prints: /created/,
      }),
      refused('create priorityclass <ns>-low --value=7', /already exists/),
      refused('delete priorityclass system-node-critical', /cannot be deleted/),
      kubectl('delete pc <ns>-high <ns>-low', { prints: /deleted/ }),
      kubectl('delete runtimeclass <ns>-vm', { prints: /deleted/ }),
      kubectl('delete sc <ns>-fast', { prints: /deleted/ }),
      kubectl('explain pvc.spec.volumeMode', { prints: /<string>/, differs: [ownDescriptions] }),
    ],
  },
  {
    title: 'create token',
    steps: [
      kubectl('create token default', { prints: /^a token$/ }),
      kubectl('create token default --duration=10m --audience=vault', { prints: /^a token$/ }),
      refused('create token default --duration=1m', /may not specify a duration less than 10 min/),
      refused('create token nobody', /serviceaccounts "nobody" not found/),
      createdPod('web'),
      kubectl('create token default --bound-object-kind=Pod --bound-object-name=web', {
        prints: /^a token$/,
      }),
      refused('create token default --bound-object-kind=Pod --bound-object-name=none', /not found/),
    ],
  },
]
