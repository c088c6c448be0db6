package org.onesided.benchmark.peers;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.onesided.peers.Records;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.testing.JavaCommand;

/** Three members of Hazelcast, and a client in this process, which threads share. */
final class HazelcastCluster implements ComparedSystem
{
    static final String NAME = "hazelcast";

    private static final int MEMBERS = 3;
    private static final long LOOK_MILLIS = 50;
    private static final long JOINED_SECONDS = 60;
    private static final long CONNECT_MILLIS = 30_000;

    private final List<MemberProcess> members;
    private final HazelcastInstance client;
    private final IMap<byte[], byte[]> map;

    private HazelcastCluster(final List<MemberProcess> members, final HazelcastInstance client)
    {
        this.members = members;
        this.client = client;
        map = client.getMap(HazelcastMember.MAP);
    }

    static HazelcastCluster start(final Lab lab, final ClustersSettings settings) throws IOException
    {
        final List<String> ports =
            Stream.generate(FreePorts::take).limit(MEMBERS).map(String::valueOf).toList();
        final List<MemberProcess> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++)
        {
            final List<String> arguments = new ArrayList<>(List.of(ports.get(i)));
            arguments.addAll(ports);
            members.add(lab.add(MemberProcess.start("hazelcast-" + (i + 1), JavaCommand.of(
                List.of(StoreServer.HEAP, "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"),
                HazelcastMember.class.getName(), arguments), settings.folder())));
        }
        for (int i = 0; i < MEMBERS; i++)
        {
            members.get(i).awaitPort(Integer.parseInt(ports.get(i)));
        }
        final HazelcastCluster cluster = lab.add(new HazelcastCluster(members, connect(ports)));
        cluster.awaitJoined();
        return cluster;
    }

    private static HazelcastInstance connect(final List<String> ports) throws IOException
    {
        final ClientConfig config = new ClientConfig();
        config.setClusterName(HazelcastMember.CLUSTER);
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.getNetworkConfig().getAutoDetectionConfig().setEnabled(false);
        ports.forEach((port) -> config.getNetworkConfig().addAddress("127.0.0.1:" + port));
        config.getConnectionStrategyConfig().getConnectionRetryConfig().setClusterConnectTimeoutMillis(CONNECT_MILLIS);
        try
        {
            return HazelcastClient.newHazelcastClient(config);
        }
        catch (final IllegalStateException | HazelcastException e)
        {
            throw new IOException("no client of Hazelcast: " + e.getMessage(), e);
        }
    }

    private void awaitJoined() throws IOException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(JOINED_SECONDS);
        while (client.getCluster().getMembers().size() < MEMBERS)
        {
            if (System.nanoTime() - endNs > 0)
            {
                throw members.get(0).failure("does not find the others");
            }
            Crowd.pause(LOOK_MILLIS);
        }
    }

    private static final class Access implements RecordAccess
    {
        private final IMap<byte[], byte[]> map;
        private final byte[] key = new byte[Records.KEY_LENGTH];
        private final byte[] value = Records.template(VALUE_LENGTH);

        Access(final IMap<byte[], byte[]> map)
        {
            this.map = map;
        }

        @Override
        public long get(final long number) throws IOException
        {
            Records.key(number, key);
            try
            {
                return Records.firstWord(map.get(key));
            }
            catch (final IllegalStateException | HazelcastException e)
            {
                throw new IOException("Hazelcast fails: " + e.getMessage(), e);
            }
        }

        /** By the call that does not fetch the former value. */
        @Override
        public void put(final long number) throws IOException
        {
            Records.key(number, key);
            Records.value(number, value);
            try
            {
                map.set(key, value);
            }
            catch (final IllegalStateException | HazelcastException e)
            {
                throw new IOException("Hazelcast fails: " + e.getMessage(), e);
            }
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
        return "three members of Hazelcast, one synchronous backup: a put is acknowledged when two members have it " +
            "in memory; nothing is on a disk, no majority is asked, and a lookup is the owner's answer";
    }

    @Override
    public List<Long> pids()
    {
        return members.stream().map(MemberProcess::pid).toList();
    }

    @Override
    public RecordAccess access()
    {
        return new Access(map);
    }

    /** The processes end with the lab. */
    @Override
    public void close()
    {
        client.shutdown();
    }
}
