package org.onesided.benchmark.peers;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A member of Hazelcast in a process of its own, on loopback alone: it looks for no others but those that it is told,
 * and reports to nobody. Ends when its standard input does.
 */
public final class HazelcastMember
{
    static final String CLUSTER = "onesided-benchmark";
    static final String MAP = "records";

    private HazelcastMember()
    {
    }

    /**
     * @param arguments its port, and those of all members.
     * @throws IOException if its standard input cannot be read.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final HazelcastInstance member = Hazelcast.newHazelcastInstance(config(
            Integer.parseInt(arguments[0]),
            Arrays.stream(arguments).skip(1).map((port) -> "127.0.0.1:" + port).toList()));
        while (System.in.read() >= 0)
        {
            // Nobody writes.
            continue;
        }
        member.shutdown();
    }

    static Config config(final int port, final List<String> members)
    {
        final Config config = new Config();
        config.setClusterName(CLUSTER);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.getMapConfig(MAP).setBackupCount(1).setAsyncBackupCount(0);
        final NetworkConfig network = config.getNetworkConfig();
        network.setPort(port).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        final JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).setMembers(members);
        return config;
    }
}
