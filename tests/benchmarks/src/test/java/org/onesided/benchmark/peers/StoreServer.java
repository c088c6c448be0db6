package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.KvctlCommand;

/** A server of onesided that is alone, on disk, with as many shards as the cluster has partitions. */
final class StoreServer implements ComparedSystem
{
    static final String NAME = "server";
    static final Duration DEADLINE = Duration.ofSeconds(60);
    /** All JVMs of members have as much. */
    static final String HEAP = "-Xmx512m";

    /** What 100 bytes of value take, with ample room. */
    private static final long BYTES_OF_RECORD = 512;
    private static final long LEAST_MEMORY = 256L << 20;

    private final MemberProcess process;
    private final StoreClient client;

    private StoreServer(final MemberProcess process, final StoreClient client)
    {
        this.process = process;
        this.client = client;
    }

    static StoreServer start(final Lab lab, final ClustersSettings settings) throws IOException
    {
        final int port = FreePorts.take();
        final String address = "127.0.0.1:" + port;
        final Path data = settings.folder().resolve("onesided-server");
        final MemberProcess process = lab.add(MemberProcess.start("onesided-server", JavaCommand.of(
            List.of(HEAP), KvctlCommand.MAIN_CLASS, List.of("server", "--data", data.toString(), "--shards",
                Integer.toString(settings.partitions()), "--memory", memory(settings.records()), "--device",
                settings.device(), "--listen", address)), settings.folder()));
        process.awaitPort(port);
        return lab.add(new StoreServer(process, client(settings, address)));
    }

    static StoreClient client(final ClustersSettings settings, final String addresses)
    {
        return StoreClient.builder().server(addresses).device(settings.device()).deadline(DEADLINE)
            .maxSessions(ClustersSettings.MANY_THREADS).build();
    }

    /** For {@code --memory}. */
    static String memory(final long records)
    {
        return Long.toString(Math.max(LEAST_MEMORY, records * BYTES_OF_RECORD));
    }

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public String promise()
    {
        return "onesided alone, with --data: a put is acknowledged when it is on the disk (--sync always); a lookup " +
            "is a READ";
    }

    @Override
    public List<Long> pids()
    {
        return List.of(process.pid());
    }

    @Override
    public RecordAccess access()
    {
        return new StoreAccess(client);
    }

    /** The process ends with the lab. */
    @Override
    public void close()
    {
        client.close();
    }
}
