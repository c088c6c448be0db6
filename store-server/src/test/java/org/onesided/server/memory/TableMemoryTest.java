package org.onesided.server.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.server.CapturedLog;
import org.onesided.server.table.GrowthPlan;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.GrowableMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;

/**
 * Memory that the system does not take back.
 */
class TableMemoryTest
{
    private static final long MIB = 1 << 20;
    private static final String LINE = "memory that nobody uses any more stays and counts as used";

    private final GrowthPlan plan = GrowthPlan.of(64 * MIB, 1, 1, 4096);
    private final Context context = Devices.find("tcp").open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final GrowableMemory pages = context.allocateGrowable(plan.regionLength(), HugePages.OFF);
    private final TableMemory memory = new TableMemory(keeping(pages), plan, List.of(domain));
    private final long begin = plan.shards().get(0).records().start();
    private final long before = memory.committed();
    /** What the system keeps of each release, and what it has kept of the last one. */
    private long keeps;
    private long kept;

    private GrowableMemory keeping(final GrowableMemory to)
    {
        return (GrowableMemory)Proxy.newProxyInstance(
            GrowableMemory.class.getClassLoader(),
            new Class<?>[] {GrowableMemory.class},
            (proxy, method, arguments) ->
            {
                if ("kept".equals(method.getName()))
                {
                    return kept;
                }
                if ("release".equals(method.getName()))
                {
                    kept = keeps;
                    if (keeps > 0)
                    {
                        throw new VerbsException("free", Errno.ENOMEM, "of the test");
                    }
                }
                if ("commit".equals(method.getName()))
                {
                    kept = 0;
                }
                try
                {
                    return method.invoke(to, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(memory, domain, context);
    }

    private void add()
    {
        memory.add(begin, 4 * MIB, CommitPace.AT_ONCE);
        memory.count(4 * MIB);
    }

    @Test
    void shouldCountWhatTheSystemKeepsUntilItIsUsedAgain()
    {
        add();
        assertEquals(before + 4 * MIB, memory.committed());
        keeps = MIB;
        try (CapturedLog log = new CapturedLog())
        {
            assertTrue(memory.remove(begin, 4 * MIB, 0, 0));
            assertEquals(before + MIB, memory.committed());
            assertEquals(64 * MIB - before - MIB, memory.pool().left());

            add();
            assertEquals(before + 4 * MIB, memory.committed());
            assertTrue(memory.remove(begin, 4 * MIB, 0, 0));
            assertEquals(before + MIB, memory.committed());
            assertEquals(1, log.count(LINE), log.text());
        }
        add();
        keeps = 0;
        assertTrue(memory.remove(begin, 4 * MIB, 0, 0));
        assertEquals(before, memory.committed());
    }

    @Test
    void shouldSayWhyASegmentCannotBeAddedThoughItsPagesStay()
    {
        keeps = MIB;
        final CommitPace stopping = new CommitPace()
        {
            @Override
            public long pieceLength()
            {
                return MIB;
            }

            @Override
            public boolean next(final long pieceNs)
            {
                return pieceNs == 0;
            }
        };
        try (CapturedLog log = new CapturedLog())
        {
            assertEquals(Errno.EINTR, assertThrows(
                VerbsException.class, () -> memory.add(begin, 4 * MIB, stopping)).errno());
            assertEquals(1, log.count(LINE), log.text());
        }
        assertEquals(before + MIB, memory.committed());
    }
}
