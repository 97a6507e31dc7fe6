import {
  kubectl,
  localFile,
  refused,
  type CommandScenario,
  type TextDifference,
} from './command.ts'
import { requestOf } from '../exchanges/certificates.ts'
import { runs } from './workload-objects.ts'

function certificateYaml(name: string, request = requestOf('jane')): string {
  return `apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: <ns>-${name}}
spec:
  request: ${request}
  signerName: kubernetes.io/kube-apiserver-client
  expirationSeconds: 3600
  usages: [client auth]
`
}

const notServed = 'the sandbox does not have this kind'

const credential: TextDifference = {
  lines: /credential-id/,
  why: 'the sandbox knows its administrator by a token',
}

const ofRbac: TextDifference = {
  lines: /^ +\[|^self/,
  why: 'the sandbox has no bootstrap roles',
}

/** What kubectl makes without a file, and what it asks about rights. */
export const creatingCommands: readonly CommandScenario[] = [
  {
    title: 'create with the generators of kubectl',
    steps: [
      kubectl('create role reader --verb=get,list --resource=pods,pods/log', {
        prints: /role\.rbac\.authorization\.k8s\.io\/reader created/,
      }),
      kubectl(
        'create role one --verb=get --resource=deployments.apps --resource-name=web -o yaml',
        { prints: /resourceNames/ },
      ),
      refused('create role bad --verb=get', /at least one resource must be specified/),
      kubectl('create rolebinding readers --role=reader --user=jane --serviceaccount=<ns>:robot', {
        prints: /created/,
      }),
      kubectl('create clusterrole <ns>-all --verb=* --resource=nodes', { prints: /created/ }),
      kubectl('create clusterrole <ns>-sum --aggregation-rule=a=b', { prints: /created/ }),
      kubectl('create clusterrole <ns>-url --verb=get --non-resource-url=/logs/*', {
        prints: /created/,
      }),
      kubectl('create clusterrolebinding <ns>-all --clusterrole=<ns>-all --group=devs', {
        prints: /created/,
      }),
      kubectl('describe role reader', { prints: /pods\/log/ }),
      kubectl('describe rolebinding readers', { prints: /ServiceAccount +robot/ }),
      kubectl('describe clusterrole <ns>-url', { prints: /\/logs\/\*/ }),
      kubectl('get roles', { prints: /^reader/m }),
      kubectl('get rolebindings -o wide', { prints: /Role\/reader +an age +jane/ }),
      kubectl('get clusterrolebinding <ns>-all -o wide', { prints: /devs/ }),
      kubectl('set subject rolebinding readers --user=joe', { prints: /subjects updated/ }),
      kubectl('get rolebinding readers -o jsonpath={.subjects[*].name}', { prints: /joe/ }),
      kubectl('create priorityclass <ns>-urgent --value=100 --preemption-policy=Never', {
        prints: /created/,
      }),
      kubectl('create quota scoped --hard=cpu=1,pods=2 --scopes=NotTerminating', {
        prints: /created/,
      }),
      kubectl('create quota q --hard=cpu=1,pods=2,count/deployments.apps=3', { prints: /created/ }),
      kubectl('create poddisruptionbudget p --selector=app=web --max-unavailable=30%', {
        prints: /created/,
      }),
      refused('create poddisruptionbudget p2 --selector=app=web', /min-available.*max-unavailable/),
      kubectl('describe pdb p', { prints: /Max unavailable: +30%/ }),
      kubectl('create service clusterip none --clusterip=None', { prints: /created/ }),
      kubectl('create service loadbalancer lb --tcp=80:8080', { prints: /created/ }),
      kubectl('get service lb', { prints: /LoadBalancer/ }),
      kubectl('set selector service none app=other', { prints: /selector updated/ }),
      kubectl('get service none -o jsonpath={.spec.selector}', { prints: /other/ }),
      localFile('files/a.txt', 'one\n'),
      localFile('files/b.bin', new Uint8Array([0, 255, 1])),
      localFile('env', 'A=1\nB=two words\n'),
      kubectl('create configmap files --from-file=<local>/files', { prints: /created/ }),
      kubectl('describe configmap files', { prints: /b\.bin/ }),
      kubectl('create configmap env --from-env-file=<local>/env -o yaml', { prints: /two words/ }),
      kubectl('create secret generic s --from-file=key=<local>/files/a.txt --type=example.com/t', {
        prints: /created/,
      }),
      localFile('tls.crt', 'no certificate'),
      refused('create secret tls t --cert=<local>/tls.crt --key=<local>/tls.crt', /./),
      kubectl(
        `create cronjob c --image=${runs} --schedule='*/5 * * * *' --dry-run=server -o yaml -- date`,
        { prints: /failedJobsHistoryLimit: 1/ },
      ),
      kubectl(`create job j --image=${runs} --dry-run=server -o yaml`, {
        prints: /completionMode/,
      }),
      kubectl(`create deployment d --image=${runs} --image=registry.example/other:2 -- sleep 1`, {
        code: 1,
      }),
      kubectl(`create deployment d --image=${runs} --image=registry.example/other:2 --replicas=2`, {
        prints: /created/,
      }),
      kubectl(`create deployment d2 --image=${runs} --port=80 -- sleep 1`, { prints: /created/ }),
      kubectl('get deployment d2 -o jsonpath={.spec.template.spec.containers[0].command}', {
        prints: /sleep/,
      }),
      kubectl('create serviceaccount robot -o name', { prints: /serviceaccount\/robot/ }),
      kubectl(
        'get configmaps,secrets,serviceaccounts,quota,pdb,roles,rolebindings,services,deployments -o name',
      ),
      kubectl('delete clusterrole <ns>-all <ns>-sum <ns>-url', { prints: /deleted/ }),
      kubectl('delete clusterrolebinding/<ns>-all priorityclass/<ns>-urgent', {
        prints: /deleted/,
      }),
    ],
  },
  {
    title: 'requests for certificates',
    steps: [
      kubectl('create -f -', { stdin: certificateYaml('jane'), prints: /created/ }),
      kubectl('get csr <ns>-jane', {
        prints: /kubernetes\.io\/kube-apiserver-client +admin +an age +Pending/,
      }),
      kubectl('describe csr <ns>-jane', { prints: /Common Name: +jane/ }),
      kubectl('certificate approve <ns>-jane', { prints: /approved/ }),
      kubectl('get csr <ns>-jane -o wide', { prints: /Approved/ }),
      kubectl('certificate approve <ns>-jane', { prints: /approved/ }),
      refused('certificate deny <ns>-jane', /already Approved/),
      kubectl('create -f -', { stdin: certificateYaml('joe'), prints: /created/ }),
      kubectl('certificate deny <ns>-joe', { prints: /denied/ }),
      kubectl('get csr <ns>-joe', { prints: /Denied/ }),
      refused('certificate approve <ns>-none', /not found/),
      refused('create -f -', /PEM block type must be CERTIFICATE REQUEST/, {
        stdin: certificateYaml('bad', 'eA=='),
      }),
      kubectl('delete csr <ns>-jane <ns>-joe', { prints: /deleted/ }),
    ],
  },
  {
    title: 'kinds that the sandbox refuses by name',
    onlySandbox: notServed,
    steps: [
      refused('create ingress web --rule=a.example/=web:80', /does not have kind Ingress yet/),
      kubectl(`create deployment web --image=${runs}`),
      refused(
        'autoscale deployment web --min=1 --max=3',
        /does not have kind HorizontalPodAutoscaler yet/,
      ),
    ],
  },
  {
    title: 'rights',
    steps: [
      kubectl('auth can-i create deployments', { prints: /^yes$/m }),
      kubectl('auth can-i get pods --subresource=log', { prints: /^yes$/m }),
      kubectl('auth can-i --list', { isUnordered: true, prints: /\*\.\*/, differs: [ofRbac] }),
      kubectl('auth can-i create nodes --as=system:node:n9 --as-group=system:nodes', {
        prints: /^yes$/m,
      }),
      kubectl('auth can-i get /healthz', { prints: /^yes$/m }),
      kubectl('auth can-i create bindings', { prints: /^yes\n$/ }),
      kubectl('auth can-i create gizmos', {
        prints: /Warning: the server doesn't have a resource type 'gizmos'/,
      }),
      kubectl('auth whoami', { prints: /system:masters/, differs: [credential], since: 28 }),
      kubectl('auth whoami -o jsonpath={.status.userInfo.username}', {
        prints: /admin/,
        since: 28,
      }),
      kubectl('auth whoami --as=jane --as-group=devs', { prints: /jane/, since: 28 }),
      kubectl('auth reconcile -f -', {
        stdin:
          '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r","namespace":"<ns>"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]}',
        prints: /role\.rbac\.authorization\.k8s\.io\/r reconciled/,
      }),
      kubectl('auth reconcile -f -', {
        stdin:
          '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r","namespace":"<ns>"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["list"]}]}',
        prints: /reconciled/,
      }),
      kubectl('get role r -o jsonpath={.rules}', { prints: /list/ }),
    ],
  },
  {
    title: 'the configuration of kubectl',
    steps: [
      kubectl('config view --minify -o jsonpath={.contexts[0].context.namespace}', {
        prints: /^<ns>$/,
      }),
      kubectl('config set-context other --namespace=default', { prints: /created/ }),
      kubectl('config use-context other', { prints: /Switched to context "other"/ }),
      refused('config use-context none', /no context exists/),
      kubectl('config unset contexts.other', { prints: /unset/ }),
      refused('get pods', /./),
    ],
  },
]
