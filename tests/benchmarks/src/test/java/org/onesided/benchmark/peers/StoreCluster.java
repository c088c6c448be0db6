package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.LongStream;
import org.onesided.benchmark.FailoverMembers;
import org.onesided.client.StoreClient;

/** A cluster of three servers of onesided. */
final class StoreCluster implements ComparedSystem
{
    static final String NAME = "cluster";

    private static final long LEASE_MS = 1000;

    private final FailoverMembers members;
    private final StoreClient client;

    private StoreCluster(final FailoverMembers members, final StoreClient client)
    {
        this.members = members;
        this.client = client;
    }

    static StoreCluster start(final Lab lab, final ClustersSettings settings) throws IOException
    {
        try
        {
            final FailoverMembers members = lab.add(new FailoverMembers(
                Files.createDirectory(settings.folder().resolve("onesided-cluster")), settings.device(),
                List.of(StoreServer.HEAP), List.of("--memory", StoreServer.memory(settings.records())),
                settings.partitions(), LEASE_MS));
            members.awaitSound(settings.partitions());
            members.spreadLeaders(settings.partitions());
            return lab.add(new StoreCluster(members, StoreServer.client(settings, members.addresses())));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
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
        return "three servers of onesided: a put is acknowledged when a majority has it on the disk " +
            "(--sync always); a lookup is a READ of the leader's memory under a lease of 1 s, linearizable";
    }

    @Override
    public List<Long> pids()
    {
        return LongStream.rangeClosed(1, FailoverMembers.COUNT).map(members::pid).boxed().toList();
    }

    @Override
    public RecordAccess access()
    {
        return new StoreAccess(client);
    }

    /** The processes end with the lab. */
    @Override
    public void close()
    {
        client.close();
    }
}
