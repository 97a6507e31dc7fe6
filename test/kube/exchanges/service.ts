import {
  events,
  get,
  patch,
  post,
  put,
  remove,
  watch,
  type Scenario,
  type Step,
} from '../exchange.ts'

const services = '/api/v1/namespaces/<ns>/services'
const web = `${services}/web`
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

type Fields = Readonly<Record<string, unknown>>

function service(spec: Fields = {}, name = 'web'): unknown {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
  }
}

const invalid = { status: 422, holds: { reason: 'Invalid' } }

function refused(title: string, ...bodies: readonly unknown[]): Scenario {
  return {
    title: `a service with ${title} is refused`,
    steps: bodies.map((body) => post(services, { body, ...invalid })),
  }
}

function refusedChange(title: string, first: Step, ...patches: readonly Fields[]): Scenario {
  return {
    title: `a service may not change ${title}`,
    steps: [first, ...patches.map((spec) => patch('merge', web, { spec }, invalid))],
  }
}

/** Services: defaults, allocation of addresses and ports, and validation. */
export const serviceExchanges: readonly Scenario[] = [
  {
    title: 'the kubernetes service exists',
    steps: [
      get('/api/v1/namespaces/default/services/kubernetes', {
        holds: {
          metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
          spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] },
        },
        differs: [
          { at: 'body.spec.ports.0.targetPort', why: 'servers listen on ports of their own' },
        ],
      }),
      get('/api/v1/namespaces/default/services', { accept: table }),
    ],
  },
  {
    title: 'a service gets a cluster IP, and is listed, watched, changed and deleted',
    steps: [
      watch('services', services),
      post(services, {
        body: service(),
        save: 'web',
        holds: {
          spec: {
            type: 'ClusterIP',
            sessionAffinity: 'None',
            internalTrafficPolicy: 'Cluster',
            ipFamilies: ['IPv4'],
            ipFamilyPolicy: 'SingleStack',
            ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
          },
          status: { loadBalancer: {} },
        },
      }),
      post(services, { body: service(), status: 409, holds: { reason: 'AlreadyExists' } }),
      get(services, { holds: { kind: 'ServiceList' } }),
      get(services, { accept: table, holds: { kind: 'Table' } }),
      get(services, { query: { fieldSelector: 'spec.type=ClusterIP' } }),
      get(services, { query: { fieldSelector: 'spec.clusterIP=None' } }),
      get(services, { query: { fieldSelector: 'spec.nothing=x' }, status: 400 }),
      patch('strategic', web, { spec: { ports: [{ port: 443, name: 'https' }] } }, invalid),
      patch('strategic', web, { spec: { ports: [{ port: 80, name: 'http' }] } }),
      patch('strategic', web, { spec: { ports: [{ port: 443, name: 'https' }] } }),
      patch('merge', web, { spec: { selector: { app: 'other' } } }),
      // Fields that the client does not send are kept.
      patch('merge', web, { spec: { clusterIP: '' } }),
      patch('merge', web, { spec: { clusterIPs: null } }),
      patch('json', web, [{ op: 'replace', path: '/spec/ports/0/port', value: 8080 }]),
      put(web, { body: service() }),
      remove(web, { holds: { kind: 'Service' } }),
      get(web, { status: 404, holds: { reason: 'NotFound' } }),
      events('services', [
        { type: 'ADDED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'DELETED' },
      ]),
    ],
  },
  {
    title: 'a requested cluster IP is allocated once, and again after its service is deleted',
    steps: [
      post(services, { body: service({ clusterIP: '10.96.0.17' }) }),
      post(services, { body: service({ clusterIP: '10.96.0.17' }, 'two'), ...invalid }),
      post(services, { body: service({ clusterIPs: ['10.96.0.18'] }, 'listed'), ...invalid }),
      post(services, { body: service({ clusterIP: '10.97.0.1' }, 'out'), ...invalid }),
      post(services, { body: service({ clusterIP: '10.96.0.0' }, 'network'), ...invalid }),
      post(services, { body: service({ clusterIP: '10.96.255.255' }, 'broadcast'), ...invalid }),
      remove(web),
      post(services, {
        body: service({ clusterIP: '10.96.0.17' }, 'two'),
        isEventual: true,
      }),
      post(services, {
        body: service({ clusterIP: '10.96.0.19' }, 'dry'),
        query: { dryRun: 'All' },
      }),
      post(services, { body: service({ clusterIP: '10.96.0.19' }, 'three'), isEventual: true }),
    ],
  },
  {
    title: 'a headless service has no cluster IP',
    steps: [
      post(services, {
        body: service({ clusterIP: 'None' }),
        holds: { spec: { clusterIP: 'None', clusterIPs: ['None'] } },
      }),
      post(services, {
        body: service({ clusterIP: 'None', selector: undefined, ports: undefined }, 'bare'),
        holds: { spec: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] } },
      }),
      get(services, { accept: table }),
      patch(
        'merge',
        web,
        { spec: { clusterIP: '10.96.0.33', clusterIPs: ['10.96.0.33'] } },
        invalid,
      ),
    ],
  },
  {
    title: 'an external name is a service without addresses, and becomes one with them',
    steps: [
      post(services, {
        body: {
          metadata: { name: 'web' },
          spec: { type: 'ExternalName', externalName: 'db.example.com' },
        },
        holds: { spec: { externalName: 'db.example.com', sessionAffinity: 'None' } },
      }),
      get(services, { accept: table }),
      patch('merge', web, {
        spec: { type: 'ClusterIP', externalName: null, ports: [{ port: 1 }] },
      }),
      patch('merge', web, {
        spec: {
          type: 'ExternalName',
          externalName: 'x.example.com',
          clusterIP: '',
          clusterIPs: null,
        },
      }),
      post(services, {
        body: {
          metadata: { name: 'none' },
          spec: { type: 'ExternalName', externalName: '' },
        },
        ...invalid,
      }),
      post(services, {
        body: {
          metadata: { name: 'bad' },
          spec: { type: 'ExternalName', externalName: 'No Name', clusterIP: '10.96.0.21' },
        },
        ...invalid,
      }),
    ],
  },
  {
    title: 'node ports are allocated, kept and released',
    steps: [
      post(services, {
        body: service({ type: 'NodePort' }),
        holds: { spec: { externalTrafficPolicy: 'Cluster' } },
      }),
      post(services, {
        body: service({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_033 }] }, 'fixed'),
        holds: { spec: { ports: [{ nodePort: 30_033 }] } },
      }),
      post(services, {
        body: service({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_033 }] }, 'again'),
        ...invalid,
      }),
      post(services, {
        body: service({ type: 'NodePort', ports: [{ port: 80, nodePort: 99 }] }, 'low'),
        ...invalid,
      }),
      post(services, {
        body: service(
          {
            type: 'NodePort',
            ports: [
              { name: 'dns', port: 53, protocol: 'UDP' },
              { name: 'dns-tcp', port: 53 },
            ],
          },
          'both',
        ),
      }),
      get(services, { accept: table }),
      patch('merge', `${services}/fixed`, { spec: { type: 'ClusterIP' } }),
      post(services, {
        body: service({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_033 }] }, 'again'),
        isEventual: true,
      }),
      patch('merge', `${services}/fixed`, { spec: { type: 'NodePort' } }),
      patch('merge', `${services}/fixed`, { spec: { externalTrafficPolicy: 'Local' } }),
      post(services, {
        body: service({ ports: [{ port: 80, nodePort: 30_044 }] }, 'no-node-port'),
        ...invalid,
      }),
    ],
  },
  {
    title: 'a load balancer waits for its address in the status',
    steps: [
      post(services, {
        body: service({ type: 'LoadBalancer' }),
        holds: { spec: { allocateLoadBalancerNodePorts: true }, status: { loadBalancer: {} } },
      }),
      get(services, { accept: table }),
      patch('merge', `${web}/status`, {
        spec: { externalName: 'ignored.example.com' },
        status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } },
      }),
      get(services, { accept: table }),
      get(`${web}/status`),
      patch(
        'merge',
        `${web}/status`,
        { status: { loadBalancer: { ingress: [{ ip: 'no address' }] } } },
        invalid,
      ),
      post(services, {
        body: service(
          {
            type: 'LoadBalancer',
            allocateLoadBalancerNodePorts: false,
            externalTrafficPolicy: 'Local',
          },
          'local',
        ),
      }),
      post(services, {
        body: service({ allocateLoadBalancerNodePorts: true }, 'bad'),
        ...invalid,
      }),
      patch('merge', web, { spec: { type: 'ClusterIP' } }),
    ],
  },
  {
    title: 'other fields of a service',
    steps: [
      post(services, {
        body: service({
          sessionAffinity: 'ClientIP',
          externalIPs: ['192.0.2.1'],
          publishNotReadyAddresses: true,
          internalTrafficPolicy: 'Local',
          trafficDistribution: 'PreferClose',
          ports: [
            { name: 'a', port: 80, targetPort: 'http', appProtocol: 'kubernetes.io/h2c' },
            { name: 'b', port: 81, targetPort: 8081, protocol: 'UDP' },
          ],
        }),
        holds: { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } } },
      }),
      post(services, {
        body: service({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 3 } } }, 'unused'),
      }),
      post(services, { body: service({ ports: [{ port: 80, targetPort: 0 }] }, 'same-port') }),
      post(services, {
        body: service({ sessionAffinity: 'ClientIP', type: 'NodePort' }, 'sticky'),
      }),
      post(services, {
        body: service({ ipFamilyPolicy: 'PreferDualStack' }, 'dual'),
        holds: { spec: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'PreferDualStack' } },
      }),
      post(services, {
        body: service({ type: 'NodePort', externalTrafficPolicy: 'Local' }, 'local'),
      }),
      post(services, { body: service({ selector: undefined }, 'without-selector') }),
      get(services, { accept: table }),
    ],
  },
  refused('no ports', service({ ports: [] }), service({ ports: undefined })),
  refused(
    'ports that cannot be',
    service({ ports: [{ port: 0 }] }),
    service({ ports: [{ port: 65_536 }] }),
    service({ ports: [{ port: 80, targetPort: -1 }] }),
    service({ ports: [{ port: 80, targetPort: 'No_Port' }] }),
    service({ ports: [{ port: 80, protocol: 'ICMP' }] }),
    service({ ports: [{ port: 80, name: 'No_Name' }] }),
    service({ ports: [{ port: 80, appProtocol: 'no/such/protocol' }] }),
    service({ ports: [{ port: 80 }, { port: 81 }] }),
    service({
      ports: [
        { name: 'a', port: 80 },
        { name: 'a', port: 81 },
      ],
    }),
    service({
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 80 },
      ],
    }),
  ),
  refused(
    'words that the API does not know',
    service({ type: 'Magic' }),
    service({ sessionAffinity: 'Always' }),
    service({ internalTrafficPolicy: 'Far' }),
    service({ externalTrafficPolicy: 'Far', type: 'NodePort' }),
    service({ externalTrafficPolicy: 'Local' }),
    service({ trafficDistribution: 'Anywhere' }),
    service({ ipFamilyPolicy: 'TripleStack' }),
    service({ ipFamilies: ['IPv5'] }),
  ),
  refused(
    'addresses that cannot be',
    service({ clusterIP: 'no address' }),
    service({ clusterIP: '10.96.0.21', clusterIPs: ['10.96.0.22'] }),
    service({ clusterIP: '10.96.0.21', clusterIPs: ['10.96.0.21', '10.96.0.22'] }),
    service({ clusterIP: 'None', type: 'NodePort' }),
    service({ ipFamilies: ['IPv6'] }),
    service({ ipFamilies: ['IPv4', 'IPv6'] }),
    service({ ipFamilyPolicy: 'RequireDualStack' }),
    service({ externalIPs: ['no address'] }),
    service({ externalIPs: ['127.0.0.1'] }),
    service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['no range'] }),
    service({ healthCheckNodePort: 30_011 }),
    service({ loadBalancerClass: 'example.com/balancer' }),
  ),
  refused(
    'names and labels that cannot be',
    service({}, 'No_Name'),
    service({}, '1st'),
    service({ selector: { 'no/such/key': 'x' } }),
    service({ selector: { app: 'no value' } }),
    service({
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
    }),
  ),
  refusedChange(
    'its addresses',
    post(services, { body: service({ clusterIP: '10.96.0.18' }) }),
    { clusterIP: '10.96.0.19', clusterIPs: ['10.96.0.19'] },
    { clusterIP: '10.96.0.19' },
    { clusterIP: 'None' },
    { ipFamilies: ['IPv6'] },
    { ipFamilyPolicy: 'RequireDualStack' },
  ),
  refusedChange(
    'to what it could not have been created as',
    post(services, { body: service() }),
    { type: 'ExternalName' },
    { type: 'Magic' },
    { ports: [] },
    { ports: null },
    { sessionAffinity: 'Always' },
    { ports: [{ port: 80, nodePort: 30_055 }] },
  ),
]
