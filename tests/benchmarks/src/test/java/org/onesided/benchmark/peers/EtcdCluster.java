package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.onesided.peers.Records;
import org.onesided.protocol.bootstrap.FreePorts;

/**
 * Three members of etcd, asked by gRPC, its own protocol, with the library of Ratis. Each thread has a connection of
 * its own, to the leader: none pays for a hop or waits behind another.
 */
final class EtcdCluster implements ComparedSystem
{
    static final String NAME = "etcd";
    /** Of its program, and of the Debian package that has it. */
    static final String PACKAGE = "etcd-server";

    /** Of gRPC, which tells what it runs on. Held, so that its level is kept. */
    private static final Logger GRPC = Logger.getLogger("org.apache.ratis.thirdparty");

    private static final int MEMBERS = 3;
    private static final long CALL_SECONDS = 20;
    private static final long LOOK_MILLIS = 50;
    private static final int LOOKS = 400;

    private final List<MemberProcess> members;
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final int leaderPort;

    private EtcdCluster(final List<MemberProcess> members, final int leaderPort)
    {
        this.members = members;
        this.leaderPort = leaderPort;
    }

    /**
     * @param program that is installed.
     */
    static EtcdCluster start(final Lab lab, final ClustersSettings settings, final String program) throws IOException
    {
        GRPC.setLevel(Level.WARNING);
        final List<Integer> peerPorts = new ArrayList<>();
        final List<String> peers = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++)
        {
            peerPorts.add(FreePorts.take());
            peers.add(name(i) + "=" + url(peerPorts.get(i)));
        }
        final List<MemberProcess> members = new ArrayList<>();
        final List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++)
        {
            ports.add(FreePorts.take());
            members.add(lab.add(MemberProcess.start(name(i), command(program, settings.folder(), i,
                url(ports.get(i)), url(peerPorts.get(i)), String.join(",", peers)), settings.folder())));
        }
        for (int i = 0; i < MEMBERS; i++)
        {
            members.get(i).awaitPort(ports.get(i));
        }
        return lab.add(new EtcdCluster(members, leader(ports)));
    }

    private static String name(final int member)
    {
        return "etcd-" + (member + 1);
    }

    private static String url(final int port)
    {
        return "http://127.0.0.1:" + port;
    }

    private static List<String> command(
        final String program, final Path folder, final int member, final String url, final String peerUrl,
        final String peers)
    {
        return List.of(program, "--name", name(member), "--data-dir", folder.resolve(name(member)).toString(),
            "--logger", "zap", "--log-level", "error", "--listen-client-urls", url, "--advertise-client-urls", url,
            "--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl, "--initial-cluster", peers,
            "--initial-cluster-state", "new");
    }

    private static int leader(final List<Integer> ports) throws IOException
    {
        for (int i = 0; i < LOOKS; i++)
        {
            for (final int port : ports)
            {
                final ManagedChannel channel = connect(port);
                try
                {
                    if (EtcdMessages.isLeader(call(channel, EtcdMessages.STATUS, new byte[0])))
                    {
                        return port;
                    }
                }
                finally
                {
                    disconnect(channel);
                }
            }
            Crowd.pause(LOOK_MILLIS);
        }
        throw new IOException("etcd has no leader");
    }

    private static ManagedChannel connect(final int port)
    {
        return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().directExecutor().build();
    }

    private static void disconnect(final ManagedChannel channel)
    {
        try
        {
            channel.shutdownNow().awaitTermination(CALL_SECONDS, TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] call(
        final ManagedChannel channel, final MethodDescriptor<byte[], byte[]> method, final byte[] request)
        throws IOException
    {
        try
        {
            return ClientCalls.blockingUnaryCall(
                channel, method, CallOptions.DEFAULT.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS), request);
        }
        catch (final StatusRuntimeException e)
        {
            throw new IOException("etcd refuses: " + e.getStatus(), e);
        }
    }

    private static final class Access implements RecordAccess
    {
        private final ManagedChannel channel;
        private final byte[] key = new byte[Records.KEY_LENGTH];
        private final byte[] value = Records.template(VALUE_LENGTH);

        Access(final ManagedChannel channel)
        {
            this.channel = channel;
        }

        @Override
        public long get(final long number) throws IOException
        {
            Records.key(number, key);
            return Records.firstWord(
                EtcdMessages.foundValue(call(channel, EtcdMessages.RANGE, EtcdMessages.rangeRequest(key))));
        }

        @Override
        public void put(final long number) throws IOException
        {
            Records.key(number, key);
            Records.value(number, value);
            call(channel, EtcdMessages.PUT, EtcdMessages.putRequest(key, value));
        }
    }

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public String promise()
    {
        return "three members of etcd, asked at their leader by gRPC: a put is acknowledged when a majority has it " +
            "on the disk; a lookup is linearizable, confirmed by a majority each time";
    }

    @Override
    public List<Long> pids()
    {
        return members.stream().map(MemberProcess::pid).toList();
    }

    @Override
    public RecordAccess access()
    {
        channels.add(connect(leaderPort));
        return new Access(channels.get(channels.size() - 1));
    }

    /** The processes end with the lab. */
    @Override
    public void close()
    {
        channels.forEach(EtcdCluster::disconnect);
        channels.clear();
    }
}
