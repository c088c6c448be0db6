package org.onesided.documentation;

import java.util.Map;

/**
 * Command lines of the documentation that {@link DocumentationTest} parses, but does not run, since they need RDMA,
 * root, a network, a terminal or minutes; and the test that does what they do, where there are stand-ins for those.
 */
final class Elsewhere
{
    /** Test class by command line. */
    static final Map<String, String> TESTS = Map.ofEntries(
        // A page of its own, a load, and a server that it starts; the test compares what README shows.
        Map.entry("./kvctl quickstart", "KvctlQuickstartTest"),
        Map.entry("kvctl quickstart", "KvctlQuickstartTest"),
        Map.entry("kvctl quickstart --memory 256m --report load.html", "KvctlQuickstartTest"),
        // Ports and memory that a test must not take.
        Map.entry("kvctl server --memory 1g", "KvctlServerTest"),
        Map.entry("kvctl server --config server.properties --metrics 9875", "KvctlServerTest"),
        Map.entry("./kvctl server --memory 4g", "YcsbTest"),
        // A directory of the system's, and servers with one.
        Map.entry("kvctl server --data /var/lib/onesided", "KvctlDataTest"),
        Map.entry("kvctl snapshot", "KvctlDataTest"),
        Map.entry("kvctl snapshot --wait 10m -o json", "KvctlDataTest"),
        Map.entry("kvctl data info /var/lib/onesided", "KvctlDataTest"),
        Map.entry("kvctl data info /var/lib/onesided -o json", "KvctlDataTest"),
        Map.entry("kvctl data verify /var/lib/onesided", "KvctlDataTest"),
        Map.entry("kvctl data verify /var/lib/onesided -o json", "KvctlDataTest"),
        Map.entry("kvctl backup store.backup", "KvctlBackupTest"),
        Map.entry("kvctl backup - | gzip > store.backup.gz", "KvctlBackupTest"),
        Map.entry("kvctl restore store.backup --data /var/lib/onesided", "KvctlBackupTest"),
        Map.entry(
            "gunzip < store.backup.gz | kvctl restore - --data /var/lib/onesided --shards 4", "KvctlBackupTest"),
        // Servers that wait for each other, on ports of their own.
        Map.entry("kvctl cluster demo", "KvctlClusterTest"),
        Map.entry("kvctl cluster demo --memory 64m", "KvctlClusterTest"),
        Map.entry("kvctl server --data /var/lib/onesided/1 --listen 127.0.0.1:7001 --peer-listen 127.0.0.1:7101",
            "KvctlClusterTest"),
        Map.entry("kvctl server --data /var/lib/onesided/2 --listen 127.0.0.1:7002 --peer-listen 127.0.0.1:7102",
            "KvctlClusterTest"),
        Map.entry("kvctl server --data /var/lib/onesided/3 --listen 127.0.0.1:7003 --peer-listen 127.0.0.1:7103",
            "KvctlClusterTest"),
        Map.entry(
            "kvctl server --data /var/lib/onesided/1 --listen 127.0.0.1:7001 --peer-listen 127.0.0.1:7101 --zone east",
            "KvctlZonesTest"),
        Map.entry("kvctl cluster create 127.0.0.1:7001 127.0.0.1:7002 127.0.0.1:7003", "KvctlClusterTest"),
        Map.entry("kvctl cluster create --partitions 8 --lease 1s 127.0.0.1:7001 127.0.0.1:7002 127.0.0.1:7003",
            "KvctlClusterTest"),
        Map.entry("kvctl cluster create --restore store.backup --lease 500ms a:7001 b:7001 c:7001",
            "KvctlClusterRestoreTest"),
        Map.entry("kvctl cluster create --restore store.backup 127.0.0.1:7001 127.0.0.1:7002 127.0.0.1:7003",
            "KvctlClusterRestoreTest"),
        Map.entry("kvctl backup --server 127.0.0.1:7001 store.backup", "KvctlOnClusterTest"),
        Map.entry("kvctl cluster create --replicas 3 --partitions 16 a:7001 b:7001 c:7001 d:7001",
            "KvctlSpreadClusterTest"),
        Map.entry("kvctl cluster create --replicas 3 127.0.0.1:7001 127.0.0.1:7002 127.0.0.1:7003 127.0.0.1:7004",
            "KvctlSpreadClusterTest"),
        Map.entry("kvctl cluster status 127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003", "KvctlClusterTest"),
        Map.entry("kvctl cluster status --watch 2 127.0.0.1:7001", "KvctlClusterTest"),
        Map.entry("kvctl cluster status --wait 1m 127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003", "KvctlOperateTest"),
        Map.entry("kvctl cluster status --wait 5m 127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003", "KvctlOperateTest"),
        Map.entry("kvctl cluster add --server 127.0.0.1:7001 127.0.0.1:7004", "KvctlMembersChangeTest"),
        Map.entry("kvctl cluster add --dry-run --server 127.0.0.1:7001 127.0.0.1:7004", "KvctlMembersChangeTest"),
        Map.entry("kvctl cluster remove --server 127.0.0.1:7001 127.0.0.1:7003", "KvctlMembersChangeTest"),
        Map.entry("kvctl cluster remove --server 127.0.0.1:7001 3", "KvctlMembersChangeTest"),
        Map.entry("kvctl cluster replace --server 127.0.0.1:7001 127.0.0.1:7003 127.0.0.1:7004",
            "KvctlMembersChangeTest"),
        Map.entry("kvctl cluster replace --server 127.0.0.1:7001 3 127.0.0.1:7004", "KvctlMembersChangeTest"),
        Map.entry("kvctl cluster rescue /var/lib/onesided", "KvctlRescueTest"),
        Map.entry("kvctl cluster rescue /var/lib/onesided --to /var/lib/rescued", "KvctlRescueTest"),
        Map.entry("kvctl cluster move --server 127.0.0.1:7001 0 2 4", "KvctlReplicaMovesTest"),
        Map.entry("kvctl cluster move --dry-run 0 127.0.0.1:7002 127.0.0.1:7004", "KvctlReplicaMovesTest"),
        Map.entry("kvctl cluster drain --server 127.0.0.1:7001 4", "KvctlReplicaMovesTest"),
        Map.entry("kvctl cluster drain --dry-run --server 127.0.0.1:7001 127.0.0.1:7004", "KvctlReplicaMovesTest"),
        Map.entry("kvctl cluster remove --server 127.0.0.1:7001 4", "KvctlReplicaMovesTest"),
        Map.entry("kvctl cluster rebalance --server 127.0.0.1:7001", "KvctlReplicaMovesTest"),
        Map.entry("kvctl cluster transfer --server 127.0.0.1:7001 0 2", "KvctlOperateTest"),
        Map.entry("kvctl cluster transfer --server 127.0.0.1:7001 all 127.0.0.1:7003", "KvctlOperateTest"),
        Map.entry("kvctl cluster rebalance --dry-run 127.0.0.1:7001", "KvctlOperateTest"),
        Map.entry("kvctl cluster rebalance 127.0.0.1:7001", "KvctlOperateTest"),
        Map.entry("kvctl put --server 127.0.0.1:7001 greeting hello", "KvctlOnClusterTest"),
        Map.entry("kvctl get --server 127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003 greeting", "KvctlOnClusterTest"),
        Map.entry("kvctl load --server 127.0.0.1:7001 --workload b --threads 4", "KvctlOnClusterTest"),
        // Three hosts: as many addresses of this one.
        Map.entry("kvctl cluster create --token-file token --tls-ca cluster-ca.crt 10.0.0.1:7001 10.0.0.2:7001 " +
            "10.0.0.3:7001", "KvctlClusterTlsTest"),
        Map.entry("kvctl cluster status --token-file token --tls-ca cluster-ca.crt 10.0.0.1:7001",
            "KvctlClusterTlsTest"),
        // Until Ctrl-C, at a terminal.
        Map.entry("./kvctl load --phase run --workload b --threads 2 --duration 1m", "TerminalTranscriptTest"),
        Map.entry("echo \"exit code $?\"", "TerminalTranscriptTest"),
        // Until Ctrl-C.
        Map.entry("kvctl stats --watch 2", "KvctlWatchTest"),
        Map.entry("source <(kvctl completion zsh)", "CompletionTest"),
        // The system's manuals, and a program that shows them.
        Map.entry("kvctl man --install && man kvctl-get", "KvctlTest"),
        Map.entry("kvctl man cluster create | man -l -", "KvctlTest"),
        // Two hosts, or the virtual machine.
        Map.entry("./kvctl server --listen 10.9.0.1:19875 --token-file secret --memory 4g", "RdmaStoreTest"),
        Map.entry("./kvctl get --server 10.9.0.1:19875 --token-file secret --verbose greeting", "RdmaStoreTest"),
        Map.entry("./kvctl rdma devices", "KvctlRdmaTest"),
        Map.entry("kvctl rdma devices", "KvctlRdmaTest"),
        Map.entry("kvctl rdma devices --verbose --device ibv:mlx5_0", "KvctlRdmaTest"),
        Map.entry("./kvctl rdma doctor", "KvctlRdmaTest"),
        Map.entry("kvctl rdma doctor", "KvctlRdmaTest"),
        Map.entry("kvctl rdma doctor --device ibv:mlx5_0 --rdma-port 1 --gid-index 3", "KvctlRdmaTest"),
        Map.entry("ibv_rc_pingpong -d rxe0 -g 1 -n 200", "KvctlRdmaPeersTest"),
        Map.entry("./kvctl rdma pingpong -n 200 10.9.0.1", "KvctlRdmaPeersTest"),
        Map.entry("kvctl rdma pingpong", "KvctlRdmaPeersTest"),
        Map.entry("kvctl rdma pingpong 192.0.2.7", "KvctlRdmaPeersTest"),
        Map.entry("kvctl rdma pingpong -d rxe0 -g 1 -s 65536 -n 10000 192.0.2.7", "KvctlRdmaPeersTest"),
        Map.entry("./kvctl rdma example 10.9.0.1", "KvctlRdmaPeersTest"),
        Map.entry("kvctl rdma example", "KvctlRdmaPeersTest"),
        Map.entry("kvctl rdma example -d rxe0 -g 1 192.0.2.7", "KvctlRdmaPeersTest"),
        Map.entry("./kvctl rdma shell --listen 10.9.0.1", "KvctlRdmaTalkTest"),
        Map.entry("./kvctl rdma shell 10.9.0.1", "KvctlRdmaTalkTest"),
        Map.entry("kvctl rdma shell --listen 0.0.0.0", "KvctlRdmaTalkTest"),
        Map.entry("kvctl rdma shell 192.0.2.7", "KvctlRdmaTalkTest"),
        // Two hosts: network namespaces, with other addresses and a bad network.
        Map.entry(
            "./kvctl server --listen 10.9.0.1:19875 --device tcp:10.9.0.1:7000 --token-file secret --memory 4g",
            "NetemTest"),
        Map.entry("./kvctl get --server 10.9.0.1:19875 --device tcp --token-file secret greeting", "NetemTest"),
        // What records until Ctrl-C, and what came of that; the test compares what the page shows.
        Map.entry("dumpcap -i any -f \"tcp port 7000\" -w tcp.pcapng", "WiresharkTest"),
        Map.entry(
            "tshark -r tcp.pcapng -Y iwarp_mpa -o tcp.try_heuristic_first:TRUE --disable-protocol rpcordma " +
                "--disable-protocol smb_direct --disable-protocol iser",
            "WiresharkTest"),
        // Maven on a copy of the sample; it compares what the page shows.
        Map.entry("./mvnw install -DskipTests", "SampleApplicationTest"),
        Map.entry("./mvnw -f docs/sample/pom.xml package", "SampleApplicationTest"),
        Map.entry("java -jar docs/sample/target/sample.jar 127.0.0.1:19875", "SampleApplicationTest"),
        Map.entry("./mvnw -f docs/spring-sample/pom.xml package", "SampleApplicationTest"),
        Map.entry("java -jar docs/spring-sample/target/spring-sample.jar", "SampleApplicationTest"),
        // YCSB's own client, by these very lines.
        Map.entry("YCSB=${YCSB:-$HOME/ycsb-0.17.0}", "YcsbTest"),
        Map.entry(
            "ycsb() { java --add-exports java.base/jdk.internal.misc=ALL-UNNAMED " +
                "--enable-native-access=ALL-UNNAMED \\ -cp \"tools/target/kvctl.jar:$YCSB/lib/*\" site.ycsb.Client " +
                "-db org.onesided.tools.ycsb.OnesidedClient \\ -p onesided.server=127.0.0.1:19875 -threads 4 \"$@\" }",
            "YcsbTest"),
        Map.entry("ycsb -load -P \"$YCSB/workloads/workloada\" -p recordcount=100000", "YcsbTest"),
        Map.entry(
            "ycsb -t -P \"$YCSB/workloads/workloada\" -p recordcount=100000 -p operationcount=1000000", "YcsbTest"),
        // An installation, with another root and stand-ins for what only root may do, by these very lines.
        Map.entry("useradd --system --no-create-home onesided", "InstallationTest"),
        Map.entry(
            "mkdir -p /opt/onesided/config /opt/onesided/tools/target /opt/onesided/docs /etc/onesided",
            "InstallationTest"),
        Map.entry("cp kvctl /opt/onesided/", "InstallationTest"),
        Map.entry("cp config/launcher.sh config/start.sh /opt/onesided/config/", "InstallationTest"),
        Map.entry("cp -r tools/target/kvctl.jar tools/target/lib /opt/onesided/tools/target/", "InstallationTest"),
        Map.entry("KVCTL_BUILD=archive /opt/onesided/kvctl --version", "InstallationTest"),
        Map.entry("cp docs/*.md /opt/onesided/docs/", "InstallationTest"),
        Map.entry("cp docs/deploy/server.properties /etc/onesided/", "InstallationTest"),
        Map.entry("cp docs/deploy/onesided.service /etc/systemd/system/", "InstallationTest"),
        Map.entry("systemctl daemon-reload", "InstallationTest"),
        Map.entry("systemctl enable --now onesided", "InstallationTest"),
        // The package is installed and its service started in another root, and so is the image.
        Map.entry("packaging/deb", "DebianPackageTest"),
        Map.entry("packaging/image", "ImageTest"),
        Map.entry("apt install ./target/packages/onesided_0.1.0~snapshot_amd64.deb", "DebianPackageTest"),
        Map.entry("systemctl status onesided", "DebianPackageTest"),
        Map.entry("docker load -i target/packages/onesided-0.1.0-SNAPSHOT-amd64-image.tar", "ImageTest"),
        Map.entry(
            "docker run --name store --shm-size=2g --ulimit memlock=-1 --device=/dev/infiniband --network=host \\ " +
                "-v /etc/onesided:/etc/onesided:ro onesided:0.1.0-SNAPSHOT server --config " +
                "/etc/onesided/server.properties",
            "ImageTest"),
        Map.entry("docker exec store kvctl get greeting", "ImageTest"));

    private Elsewhere()
    {
    }
}
