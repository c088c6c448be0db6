package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.server.data.BlankDirectory;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.data.DataOptions;
import org.onesided.server.data.TableIdentity;

/** What a member does whose log of a partition Ratis has closed. */
class MembershipEndedTest
{
    private static final int SHARDS = 2;

    @TempDir
    private Path directory;

    /** What was to become of the server. */
    private static final class Ends implements ServerEnd
    {
        private final List<String> all = new ArrayList<>();

        @Override
        public void fail(final Error cause)
        {
            throw new AssertionError(cause);
        }

        @Override
        public void beginAnew(final String reason)
        {
            all.add("at once");
        }

        @Override
        public void beginAnewInOrder(final String reason)
        {
            all.add("in order");
        }
    }

    private List<String> ends(final int replicas, final boolean isConfirmed) throws Exception
    {
        final List<String> free = FreePorts.addresses(8);
        final List<ClusterMember> members = new ArrayList<>();
        for (int i = 0; i < 4 - (replicas == 0 ? 1 : 0); i++)
        {
            members.add(new ClusterMember(i + 1, free.get(2 * i), free.get(2 * i + 1)));
        }
        final Path data = directory.resolve("data");
        try (BlankDirectory blank = BlankDirectory.open(data))
        {
            blank.form(TableIdentity.draw(), SHARDS, ClusterDescription.founding(1, members, replicas, 1000));
        }
        final Ends ends = new Ends();
        final ServerOptions options = new ServerOptions().data(DataOptions.in(data));
        try (DataDirectory opened = DataDirectory.open(options.data(), SHARDS);
            Membership membership = Membership.of(opened, options, SHARDS, ends))
        {
            if (isConfirmed)
            {
                membership.onLeft(1);
            }
            membership.onEnded(1);
        }
        return ends.all;
    }

    /** A change that would have removed it came to nothing: the others need its log. */
    @Test
    void shouldBeginAnewUntilItIsSureThatItHasLeft() throws Exception
    {
        assertEquals(List.of("in order"), ends(3, false));
    }

    @Test
    void shouldRestOnceALeaderHasConfirmedIt() throws Exception
    {
        assertTrue(ends(3, true).isEmpty());
    }

    /** It is told that it was removed by who removes it. */
    @Test
    void shouldBeginAnewWhereAllMembersKeepAll() throws Exception
    {
        assertEquals(List.of("at once"), ends(0, true));
    }
}
