import { freezeJson } from '../../../shared/json.ts'

/** The ConfigMap of each namespace with the certificate of the CA (pkg/controller/certificates/rootcacertpublisher). */
export const rootCaConfigMap = 'kube-root-ca.crt'

export const descriptionAnnotation = 'kubernetes.io/description'

/**
 * The same CA in every sandbox, with a key that nobody has: simulated pods do not reach the API server. The listener for kubectl
 * has a CA of its own, made at each start.
 */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBUzCB+qADAgECAglgCMgBQG66TbkwCgYIKoZIzj0EAwIwHDEaMBgGA1UEAxMR
Tm9kZXNjb3BlIHNhbmRib3gwIBcNMjUwMTAxMDAwMDAwWhgPMjEyNTAxMDEwMDAw
MDBaMBwxGjAYBgNVBAMTEU5vZGVzY29wZSBzYW5kYm94MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEjlAHuxJCZuzxtU/wBAveAhJ4vHYfCHAlmFL1+rXgguUIExli
nS0JUTxdIC1wbixrhetKeBZbN9yBuS1VN9iIp6MjMCEwDwYDVR0TAQH/BAUwAwEB
/zAOBgNVHQ8BAf8EBAMCAQYwCgYIKoZIzj0EAwIDSAAwRQIhANpR7jbzYvBwTK16
CZFP0yoIGVQ2jbAXJekAWjRfhH0DAiA1Ca62A7hMNDytJUAigR49mL3LsCn8FLIc
0zksEChLvg==
-----END CERTIFICATE-----
`

/** The ConfigMap, without its namespace. */
export const rootCa = freezeJson({
  metadata: {
    name: rootCaConfigMap,
    annotations: {
      [descriptionAnnotation]:
        'The certificate that verifies the kube-apiserver at its internal endpoints, as pods mount it.',
    },
  },
  data: { 'ca.crt': certificate },
})
