/**
 * The messages of CRI v1 that the server reads and writes: names in camel case, and CRI's field numbers
 * (k8s.io/cri-api v0.34, runtime/v1). `name=number` is a string; `:type` names a scalar of protobuf, an enum or a
 * message, `*` a list of them, `map` a map of strings to strings. Fields that have no effect here are left out, and
 * are skipped when they come.
 */
export const messages = {
  Empty: '',
  Int64Value: 'value=1:int64',
  UInt64Value: 'value=1:uint64',
  VersionRequest: 'version=1',
  VersionResponse: 'version=1 runtimeName=2 runtimeVersion=3 runtimeApiVersion=4',
  // Sandboxes
  PodSandboxMetadata: 'name=1 uid=2 namespace=3 attempt=4:uint32',
  DNSConfig: 'servers=1:*string searches=2:*string options=3:*string',
  PortMapping: 'protocol=1:Protocol containerPort=2:int32 hostPort=3:int32 hostIp=4',
  NamespaceOption: 'network=1:NamespaceMode pid=2:NamespaceMode ipc=3:NamespaceMode targetId=4',
  SELinuxOption: 'user=1 role=2 type=3 level=4',
  SecurityProfile: 'profileType=1:ProfileType localhostRef=2',
  LinuxSandboxSecurityContext:
    'namespaceOptions=1:NamespaceOption selinuxOptions=2:SELinuxOption runAsUser=3:Int64Value readonlyRootfs=4:bool supplementalGroups=5:*int64 privileged=6:bool runAsGroup=8:Int64Value seccomp=9:SecurityProfile apparmor=10:SecurityProfile supplementalGroupsPolicy=11:SupplementalGroupsPolicy',
  LinuxPodSandboxConfig:
    'cgroupParent=1 securityContext=2:LinuxSandboxSecurityContext sysctls=3:map overhead=4:LinuxContainerResources resources=5:LinuxContainerResources',
  PodSandboxConfig:
    'metadata=1:PodSandboxMetadata hostname=2 logDirectory=3 dnsConfig=4:DNSConfig portMappings=5:*PortMapping labels=6:map annotations=7:map linux=8:LinuxPodSandboxConfig',
  RunPodSandboxRequest: 'config=1:PodSandboxConfig runtimeHandler=2',
  PodSandboxId: 'podSandboxId=1',
  PodIP: 'ip=1',
  PodSandboxNetworkStatus: 'ip=1 additionalIps=2:*PodIP',
  Namespace: 'options=2:NamespaceOption',
  LinuxPodSandboxStatus: 'namespaces=1:Namespace',
  PodSandboxStatus:
    'id=1 metadata=2:PodSandboxMetadata state=3:PodSandboxState createdAt=4:int64 network=5:PodSandboxNetworkStatus linux=6:LinuxPodSandboxStatus labels=7:map annotations=8:map runtimeHandler=9',
  PodSandboxStatusResponse: 'status=1:PodSandboxStatus info=2:map',
  PodSandboxStateValue: 'state=1:PodSandboxState',
  PodSandboxFilter: 'id=1 state=2:PodSandboxStateValue labelSelector=3:map',
  ListPodSandboxRequest: 'filter=1:PodSandboxFilter',
  PodSandbox:
    'id=1 metadata=2:PodSandboxMetadata state=3:PodSandboxState createdAt=4:int64 labels=5:map annotations=6:map runtimeHandler=7',
  ListPodSandboxResponse: 'items=1:*PodSandbox',
  // Containers
  ContainerMetadata: 'name=1 attempt=2:uint32',
  ImageSpec: 'image=1 annotations=2:map userSpecifiedImage=18 runtimeHandler=19',
  KeyValue: 'key=1 value=2',
  Mount:
    'containerPath=1 hostPath=2 readonly=3:bool selinuxRelabel=4:bool propagation=5:MountPropagation recursiveReadOnly=8:bool',
  Device: 'containerPath=1 hostPath=2 permissions=3',
  HugepageLimit: 'pageSize=1 limit=2:uint64',
  LinuxContainerResources:
    'cpuPeriod=1:int64 cpuQuota=2:int64 cpuShares=3:int64 memoryLimitInBytes=4:int64 oomScoreAdj=5:int64 cpusetCpus=6 cpusetMems=7 hugepageLimits=8:*HugepageLimit unified=9:map memorySwapLimitInBytes=10:int64',
  Capability: 'addCapabilities=1:*string dropCapabilities=2:*string',
  LinuxContainerSecurityContext:
    'capabilities=1:Capability privileged=2:bool namespaceOptions=3:NamespaceOption selinuxOptions=4:SELinuxOption runAsUser=5:Int64Value runAsUsername=6 readonlyRootfs=7:bool supplementalGroups=8:*int64 noNewPrivs=11:bool runAsGroup=12:Int64Value maskedPaths=13:*string readonlyPaths=14:*string seccomp=15:SecurityProfile apparmor=16:SecurityProfile supplementalGroupsPolicy=17:SupplementalGroupsPolicy',
  LinuxContainerConfig:
    'resources=1:LinuxContainerResources securityContext=2:LinuxContainerSecurityContext',
  ContainerConfig:
    'metadata=1:ContainerMetadata image=2:ImageSpec command=3:*string args=4:*string workingDir=5 envs=6:*KeyValue mounts=7:*Mount devices=8:*Device labels=9:map annotations=10:map logPath=11 stdin=12:bool stdinOnce=13:bool tty=14:bool linux=15:LinuxContainerConfig',
  CreateContainerRequest:
    'podSandboxId=1 config=2:ContainerConfig sandboxConfig=3:PodSandboxConfig',
  ContainerId: 'containerId=1',
  StopContainerRequest: 'containerId=1 timeout=2:int64',
  ContainerStateValue: 'state=1:ContainerState',
  ContainerFilter: 'id=1 state=2:ContainerStateValue podSandboxId=3 labelSelector=4:map',
  ListContainersRequest: 'filter=1:ContainerFilter',
  Container:
    'id=1 podSandboxId=2 metadata=3:ContainerMetadata image=4:ImageSpec imageRef=5 state=6:ContainerState createdAt=7:int64 labels=8:map annotations=9:map imageId=10',
  ListContainersResponse: 'containers=1:*Container',
  ContainerResources: 'linux=1:LinuxContainerResources',
  ContainerStatus:
    'id=1 metadata=2:ContainerMetadata state=3:ContainerState createdAt=4:int64 startedAt=5:int64 finishedAt=6:int64 exitCode=7:int32 image=8:ImageSpec imageRef=9 reason=10 message=11 labels=12:map annotations=13:map mounts=14:*Mount logPath=15 resources=16:ContainerResources imageId=17 user=18:ContainerUser',
  ContainerStatusRequest: 'containerId=1 verbose=2:bool',
  ContainerStatusResponse: 'status=1:ContainerStatus info=2:map',
  UpdateContainerResourcesRequest: 'containerId=1 linux=2:LinuxContainerResources',
  // Commands and streams
  ExecSyncRequest: 'containerId=1 cmd=2:*string timeout=3:int64',
  ExecSyncResponse: 'stdout=1:bytes stderr=2:bytes exitCode=3:int32',
  ExecRequest: 'containerId=1 cmd=2:*string tty=3:bool stdin=4:bool stdout=5:bool stderr=6:bool',
  AttachRequest: 'containerId=1 stdin=2:bool tty=3:bool stdout=4:bool stderr=5:bool',
  PortForwardRequest: 'podSandboxId=1 port=2:*int32',
  Url: 'url=1',
  // Statistics
  CpuUsage: 'timestamp=1:int64 usageCoreNanoSeconds=2:UInt64Value usageNanoCores=3:UInt64Value',
  MemoryUsage:
    'timestamp=1:int64 workingSetBytes=2:UInt64Value availableBytes=3:UInt64Value usageBytes=4:UInt64Value rssBytes=5:UInt64Value pageFaults=6:UInt64Value majorPageFaults=7:UInt64Value',
  FilesystemIdentifier: 'mountpoint=1',
  FilesystemUsage:
    'timestamp=1:int64 fsId=2:FilesystemIdentifier usedBytes=3:UInt64Value inodesUsed=4:UInt64Value',
  ContainerAttributes: 'id=1 metadata=2:ContainerMetadata labels=3:map annotations=4:map',
  ContainerStats:
    'attributes=1:ContainerAttributes cpu=2:CpuUsage memory=3:MemoryUsage writableLayer=4:FilesystemUsage',
  ContainerStatsResponse: 'stats=1:ContainerStats',
  ContainerStatsFilter: 'id=1 podSandboxId=2 labelSelector=3:map',
  ListContainerStatsRequest: 'filter=1:ContainerStatsFilter',
  ListContainerStatsResponse: 'stats=1:*ContainerStats',
  PodSandboxAttributes: 'id=1 metadata=2:PodSandboxMetadata labels=3:map annotations=4:map',
  NetworkInterfaceUsage:
    'name=1 rxBytes=2:UInt64Value rxErrors=3:UInt64Value txBytes=4:UInt64Value txErrors=5:UInt64Value',
  NetworkUsage:
    'timestamp=1:int64 defaultInterface=2:NetworkInterfaceUsage interfaces=3:*NetworkInterfaceUsage',
  ProcessUsage: 'timestamp=1:int64 processCount=2:UInt64Value',
  LinuxPodSandboxStats:
    'cpu=1:CpuUsage memory=2:MemoryUsage network=3:NetworkUsage process=4:ProcessUsage containers=5:*ContainerStats',
  PodSandboxStats: 'attributes=1:PodSandboxAttributes linux=2:LinuxPodSandboxStats',
  PodSandboxStatsResponse: 'stats=1:PodSandboxStats',
  PodSandboxStatsFilter: 'id=1 labelSelector=2:map',
  ListPodSandboxStatsRequest: 'filter=1:PodSandboxStatsFilter',
  ListPodSandboxStatsResponse: 'stats=1:*PodSandboxStats',
  // The runtime itself
  RuntimeCondition: 'type=1 status=2:bool reason=3 message=4',
  RuntimeStatus: 'conditions=1:*RuntimeCondition',
  ContainerUser: 'linux=1:LinuxContainerUser',
  LinuxContainerUser: 'uid=1:int64 gid=2:int64 supplementalGroups=3:*int64',
  RuntimeHandlerFeatures: 'recursiveReadOnlyMounts=1:bool userNamespaces=2:bool',
  RuntimeHandler: 'name=1 features=2:RuntimeHandlerFeatures',
  RuntimeFeatures: 'supplementalGroupsPolicy=1:bool',
  StatusRequest: 'verbose=1:bool',
  StatusResponse:
    'status=1:RuntimeStatus info=2:map runtimeHandlers=3:*RuntimeHandler features=4:RuntimeFeatures',
  NetworkConfig: 'podCidr=1',
  RuntimeConfig: 'networkConfig=1:NetworkConfig',
  UpdateRuntimeConfigRequest: 'runtimeConfig=1:RuntimeConfig',
  LinuxRuntimeConfiguration: 'cgroupDriver=1:CgroupDriver',
  RuntimeConfigResponse: 'linux=1:LinuxRuntimeConfiguration',
  // Images
  ImageFilter: 'image=1:ImageSpec',
  ListImagesRequest: 'filter=1:ImageFilter',
  Image:
    'id=1 repoTags=2:*string repoDigests=3:*string size=4:uint64 uid=5:Int64Value username=6 spec=7:ImageSpec pinned=8:bool',
  ListImagesResponse: 'images=1:*Image',
  ImageRequest: 'image=1:ImageSpec',
  ImageStatusResponse: 'image=1:Image info=2:map',
  PullImageResponse: 'imageRef=1',
  ImageFsInfoResponse:
    'imageFilesystems=1:*FilesystemUsage containerFilesystems=2:*FilesystemUsage',
} as const

export type MessageName = keyof typeof messages

/** Values in the order of their numbers, from 0. */
export const enums = {
  Protocol: ['TCP', 'UDP', 'SCTP'],
  MountPropagation: [
    'PROPAGATION_PRIVATE',
    'PROPAGATION_HOST_TO_CONTAINER',
    'PROPAGATION_BIDIRECTIONAL',
  ],
  NamespaceMode: ['POD', 'CONTAINER', 'NODE', 'TARGET'],
  ProfileType: ['RuntimeDefault', 'Unconfined', 'Localhost'],
  SupplementalGroupsPolicy: ['Merge', 'Strict'],
  PodSandboxState: ['SANDBOX_READY', 'SANDBOX_NOTREADY'],
  ContainerState: [
    'CONTAINER_CREATED',
    'CONTAINER_RUNNING',
    'CONTAINER_EXITED',
    'CONTAINER_UNKNOWN',
  ],
  CgroupDriver: ['SYSTEMD', 'CGROUPFS'],
} as const
