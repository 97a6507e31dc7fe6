import { get, patch, post, put, remove, type Scenario } from '../exchange.ts'

const endpoints = '/api/v1/namespaces/<ns>/endpoints'
const slices = '/apis/discovery.k8s.io/v1/namespaces/<ns>/endpointslices'
const revisions = '/apis/apps/v1/namespaces/<ns>/controllerrevisions'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const invalid = { status: 422, holds: { reason: 'Invalid' } }

type Fields = Readonly<Record<string, unknown>>

function endpointsOf(subsets: readonly Fields[] | undefined, metadata: Fields = {}): unknown {
  return { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', ...metadata }, subsets }
}

function slice(fields: Fields = {}, metadata: Fields = {}): unknown {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web', ...metadata },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ port: 80 }],
    ...fields,
  }
}

function revision(fields: Fields = {}, metadata: Fields = {}): unknown {
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: 'web-1', ...metadata },
    data: { spec: { template: { a: [1, null, 'x'] } } },
    revision: 1,
    ...fields,
  }
}

const addresses = [{ ip: '10.0.0.1', nodeName: 'n1', targetRef: { kind: 'Pod', name: 'web-a' } }]

/** Endpoints, endpoint slices and controller revisions: what controllers keep about pods. */
export const endpointExchanges: readonly Scenario[] = [
  {
    title: 'endpoints are created, replaced, printed and deleted',
    steps: [
      put(`${endpoints}/web`, { body: endpointsOf([{ addresses }]), status: 201 }),
      put(`${endpoints}/web`, {
        body: endpointsOf([{ addresses, ports: [{ port: 80 }, { name: 'b', port: 81 }] }]),
        ...invalid,
      }),
      put(`${endpoints}/web`, {
        body: endpointsOf([
          {
            addresses: [...addresses, { ip: '10.0.0.2' }],
            notReadyAddresses: [{ ip: '10.0.0.3' }],
            ports: [
              { name: 'a', port: 80 },
              { name: 'b', port: 81, protocol: 'UDP', appProtocol: 'example.com/x' },
            ],
          },
        ]),
      }),
      get(`${endpoints}/web`, { accept: table }),
      post(endpoints, { body: endpointsOf([], { name: 'none' }) }),
      post(endpoints, { body: endpointsOf(undefined, { name: 'absent' }) }),
      get(endpoints, { accept: table }),
      patch('merge', `${endpoints}/web`, { subsets: null }),
      get(endpoints, { query: { fieldSelector: 'metadata.name=web' } }),
      remove(`${endpoints}/web`),
    ],
  },
  {
    title: 'invalid endpoints are refused',
    steps: [
      [{}],
      [{ addresses: [{ ip: 'x' }] }],
      [{ addresses: [{ ip: '127.0.0.1' }, { ip: '0.0.0.0' }, { ip: '169.254.0.1' }] }],
      [{ addresses: [{ ip: '10.0.0.1', hostname: 'No_Name', nodeName: 'No_Node' }] }],
      [{ addresses, ports: [{ port: 0 }, { port: 70_000, name: 'No_Name', protocol: 'X' }] }],
      [{ addresses, ports: [{ port: 1, appProtocol: 'not valid' }] }],
    ].map((subsets) => post(endpoints, { body: endpointsOf(subsets), ...invalid })),
  },
  {
    title: 'an endpoint slice is created, changed, printed and deleted',
    steps: [
      post(slices, { body: slice() }),
      patch('merge', `${slices}/web`, {
        endpoints: [
          {
            addresses: ['10.0.0.1', '10.0.0.2'],
            conditions: { ready: true },
            nodeName: 'n1',
            zone: 'a',
            hints: { forZones: [{ name: 'a' }], forNodes: [{ name: 'n1' }] },
            deprecatedTopology: { a: 'b' },
          },
          { addresses: ['10.0.0.3', '10.0.0.4'] },
        ],
      }),
      patch('merge', `${slices}/web`, { metadata: { annotations: { a: 'b' } } }),
      patch('merge', `${slices}/web`, { metadata: { labels: { a: 'b' } } }),
      patch('merge', `${slices}/web`, { addressType: 'IPv6' }, invalid),
      get(slices, { accept: table }),
      post(slices, {
        body: slice({ endpoints: [], ports: undefined }, { name: 'none' }),
      }),
      post(slices, { body: slice({ endpoints: undefined }, { name: 'absent' }) }),
      post(slices, {
        body: slice(
          { ports: [{ name: 'a', port: 1 }, { name: 'b' }, { name: 'c' }, { name: 'd', port: 4 }] },
          { name: 'ports' },
        ),
      }),
      post(slices, {
        body: slice(
          { addressType: 'FQDN', endpoints: [{ addresses: ['example.com'] }] },
          { name: 'names' },
        ),
      }),
      get(slices, { accept: table }),
      remove(`${slices}/web`),
    ],
  },
  {
    title: 'an invalid endpoint slice is refused',
    steps: [
      { addressType: undefined },
      { addressType: 'IPv5' },
      { addressType: 'IPv6' },
      { endpoints: [{ addresses: [] }] },
      { endpoints: [{ addresses: ['x', '127.0.0.1', '::1'] }] },
      { addressType: 'FQDN', endpoints: [{ addresses: ['no', 'No_Name.com', ''] }] },
      { endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'No_Node', hostname: 'No.Name' }] },
      {
        endpoints: [
          {
            addresses: ['10.0.0.1'],
            hints: { forZones: [{ name: 'a' }, { name: 'a' }, { name: '-' }] },
          },
        ],
      },
      { ports: [{ port: 1 }, { port: 2 }] },
      { ports: [{ name: 'No_Name', protocol: 'X', port: 1, appProtocol: 'not valid' }] },
    ].map((fields) => post(slices, { body: slice(fields), ...invalid })),
  },
  {
    title: 'a controller revision keeps its data',
    steps: [
      post(revisions, { body: revision() }),
      post(revisions, {
        body: revision(
          { revision: 2 },
          {
            name: 'web-2',
            ownerReferences: [
              {
                apiVersion: 'apps/v1',
                kind: 'StatefulSet',
                name: 'web',
                uid: 'u',
                controller: true,
              },
            ],
          },
        ),
      }),
      get(revisions, { accept: table }),
      patch('merge', `${revisions}/web-1`, { revision: 3 }),
      patch('merge', `${revisions}/web-1`, { data: { spec: null } }, invalid),
      patch('merge', `${revisions}/web-1`, { revision: -1 }, invalid),
      post(revisions, { body: revision({ data: undefined }, { name: 'x' }), ...invalid }),
      post(revisions, { body: revision({ data: [] }, { name: 'x' }), ...invalid }),
      post(revisions, { body: revision({ revision: -1 }, { name: 'x' }), ...invalid }),
      remove(`${revisions}/web-1`),
    ],
  },
]
