package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.server.TestSize;
import org.onesided.server.disk.InPlace;
import org.onesided.server.raft.files.LogDamageException;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.files.LogReport;

/**
 * Files of a log that were changed behind Ratis' back. The log has a closed segment and an open one, which ends in
 * entries that were proposed together: none says of another that it was on the disk.
 */
class LogDamageTest
{
    private static final long TABLE = 5;
    private static final int HEADER = 8;
    private static final int BLOCK = 512;
    private static final int PADDING = 3000;
    private static final int SINGLE = 12;
    private static final int TOGETHER = 3;

    @TempDir
    private static Path directory;
    private static Path log;
    private static Path open;
    private static Path closed;
    private static byte[] openBytes;
    private static byte[] closedBytes;
    /** Where the entries of the open segment end, the header first. */
    private static final List<Integer> ENDS = new ArrayList<>();
    private static long firstOpen;

    @BeforeAll
    static void makeLog() throws Exception
    {
        final RaftLogOptions options = new RaftLogOptions(directory, TABLE).reserveBytes(0);
        log = RaftLogs.directory(directory, TABLE, 0);
        try (RaftLogs logs = RaftLogs.open(options, List.of(LogStart.withoutSnapshot(() -> {}))))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(5, 200);
        }
        try (RaftLogs logs = RaftLogs.open(options, List.of(LogStart.withoutSnapshot(() -> {}))))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.continueBehind(user.lastNumber());
            for (int i = 0; i < SINGLE; i++)
            {
                user.propose(1, 100 + 37 * i);
            }
            user.propose(TOGETHER, 1300);
        }
        final LogReport report = check(false);
        assertEquals(2, report.segments().size());
        closed = report.segments().get(0).file();
        open = report.segments().get(1).file();
        firstOpen = report.segments().get(1).firstIndex();
        closedBytes = Files.readAllBytes(closed);
        final byte[] bytes = Files.readAllBytes(open);
        ends(bytes);
        assertEquals(1 + 1 + SINGLE + TOGETHER, ENDS.size());
        // As it is while the log is being written.
        openBytes = Arrays.copyOf(bytes, bytes.length + PADDING);
    }

    private static void ends(final byte[] bytes)
    {
        int end = HEADER;
        while (end < bytes.length)
        {
            ENDS.add(end);
            final int length = bytes[end] < 0 ? (bytes[end] & 0x7f) | bytes[end + 1] << 7 : bytes[end];
            end += (bytes[end] < 0 ? 2 : 1) + length + Integer.BYTES;
        }
        assertEquals(bytes.length, end);
        ENDS.add(end);
    }

    @AfterEach
    void restore() throws IOException
    {
        InPlace.write(open, openBytes);
        InPlace.write(closed, closedBytes);
    }

    @Test
    void shouldAcceptWhatWasNotChanged() throws Exception
    {
        InPlace.write(open, openBytes);
        final LogReport report = check(false);
        assertEquals(List.of(), report.findings());
        assertEquals(last(), report.lastIndex());
        assertEquals(0, report.firstIndex());
        assertEquals(last() + 1, report.entries());
    }

    @Test
    void shouldRefuseEachFlippedBitOfAnEntry() throws Exception
    {
        for (int at = 0; at < end(); at += TestSize.step(3))
        {
            for (int bit = at % 3; bit < Byte.SIZE; bit += 3)
            {
                final byte[] bytes = openBytes.clone();
                bytes[at] ^= (byte)(1 << bit);
                InPlace.write(open, bytes);
                final LogDamageException e = damage(false);
                assertNotNull(e, "bit " + bit + " at " + at);
                assertTrue(e.getMessage().contains("file=" + open + ", offset=") && e.getMessage().contains("index=") &&
                    e.getMessage().contains("--discard-tail"), e.getMessage());
                assertFalse(e.getMessage().contains("\n"));
            }
        }
    }

    @Test
    void shouldNeverLoseWhatALaterEntryCoversWhenAByteIsZeroedOrGarbled() throws Exception
    {
        for (int at = 0; at < openBytes.length; at += TestSize.step(5))
        {
            for (final int value : new int[] {0, 0xff, openBytes[at] + 0x35})
            {
                final byte[] bytes = openBytes.clone();
                bytes[at] = (byte)value;
                InPlace.write(open, bytes);
                shouldKeepCovered(bytes, "at=" + at + ", value=" + value, at);
            }
        }
    }

    /** What is left is a beginning of what was written, and has what whole entries behind the change cover. */
    private static void shouldKeepCovered(final byte[] bytes, final String what, final int at) throws IOException
    {
        final LogReport report;
        try
        {
            report = check(false);
        }
        catch (final LogDamageException e)
        {
            assertNotNull(e.getMessage());
            return;
        }
        final int entries = (int)(report.lastIndex() - firstOpen + 1);
        assertTrue(Arrays.equals(bytes, 0, ENDS.get(entries), openBytes, 0, ENDS.get(entries)), what);
        assertTrue(entries >= covered(at), what + ", entries=" + entries + ", covered=" + covered(at));
    }

    /** Entries of the open segment that are known to have been on the disk if the file is changed at an offset. */
    private static int covered(final int at)
    {
        // The last that is whole behind the change, if it was proposed by itself, covers all before it.
        int first = 0;
        while (first < ENDS.size() - 1 && ENDS.get(first) <= at)
        {
            first++;
        }
        final int last = ENDS.size() - 2;
        return first > last ? 0 : Math.min(last, 1 + SINGLE);
    }

    @Test
    void shouldCutAFileThatEndsWithinAnEntry() throws Exception
    {
        for (int length = 0; length <= end(); length += TestSize.step(3))
        {
            InPlace.write(open, Arrays.copyOf(openBytes, length));
            final LogReport report = check(false);
            int entries = 0;
            while (entries < ENDS.size() - 1 && ENDS.get(entries + 1) <= length)
            {
                entries++;
            }
            assertEquals(firstOpen - 1 + entries, report.lastIndex(), "length=" + length);
        }
    }

    /** All combinations of blocks that were not written, of entries that nobody relies on. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCutWhereBlocksAreMissing(final boolean isFirst) throws Exception
    {
        final int from = ENDS.get(1 + SINGLE);
        final int firstBlock = from / BLOCK;
        final int blocks = (end() - 1) / BLOCK - firstBlock + 1;
        assertTrue(blocks > 6 && blocks < 12);
        for (int missing = isFirst ? 1 : 2; missing < 1 << blocks; missing += 2)
        {
            final byte[] bytes = openBytes.clone();
            int lost = bytes.length;
            for (int block = blocks - 1; block >= 0; block--)
            {
                if ((missing & 1 << block) != 0)
                {
                    final int begin = Math.max(from, (firstBlock + block) * BLOCK);
                    Arrays.fill(bytes, begin, Math.min((firstBlock + block + 1) * BLOCK, bytes.length), (byte)0);
                    lost = begin;
                }
            }
            InPlace.write(open, bytes);
            final LogReport report = check(false);
            int entries = 0;
            while (entries < ENDS.size() - 1 && ENDS.get(entries + 1) <= lost)
            {
                entries++;
            }
            assertEquals(firstOpen - 1 + entries, report.lastIndex(), "missing=" + Integer.toBinaryString(missing));
            // Without a line if nothing is left of the entry.
            assertTrue(entries < ENDS.size() - 1 || report.findings().isEmpty());
        }
    }

    @Test
    void shouldRefuseMissingBlocksOfEntriesThatWereOnTheDisk() throws Exception
    {
        for (int begin = 0; begin + BLOCK < ENDS.get(SINGLE); begin += BLOCK)
        {
            final byte[] bytes = openBytes.clone();
            Arrays.fill(bytes, begin, begin + BLOCK, (byte)0);
            InPlace.write(open, bytes);
            assertNotNull(damage(false), "block at " + begin);
        }
    }

    @Test
    void shouldRefuseATornEntryThatASnapshotHolds() throws Exception
    {
        InPlace.write(open, Arrays.copyOf(openBytes, end() - 10));
        assertNotNull(assertThrows(LogDamageException.class, () -> LogFiles.check(log, last(), false)));
        assertEquals(last() - 1, LogFiles.check(log, last() - 1, false).lastIndex());
    }

    @Test
    void shouldDiscardTheTailWhenTold() throws Exception
    {
        for (int at = 0; at < end(); at += 97)
        {
            final byte[] bytes = openBytes.clone();
            bytes[at] ^= 0x10;
            InPlace.write(open, bytes);
            final LogReport report = check(true);
            int entries = 0;
            while (entries < ENDS.size() - 1 && ENDS.get(entries + 1) <= at)
            {
                entries++;
            }
            assertEquals(firstOpen - 1 + entries, report.lastIndex());
            assertTrue(report.findings().get(0).contains("--discard-tail"), report.findings().toString());
            LogFiles.repair(report, 0);
            assertEquals(List.of(), check(false).findings());
            assertEquals(report.lastIndex(), check(false).lastIndex());
        }
    }

    @Test
    void shouldRefuseAChangedClosedSegment() throws Exception
    {
        for (int at = 0; at < closedBytes.length; at++)
        {
            final byte[] bytes = closedBytes.clone();
            bytes[at] ^= (byte)(1 << at % Byte.SIZE);
            InPlace.write(closed, bytes);
            assertNotNull(damage(true), "flipped at " + at);
            InPlace.write(closed, Arrays.copyOf(closedBytes, at));
            assertNotNull(damage(true), "cut at " + at);
        }
        Files.delete(closed);
        assertNotNull(damage(true), "missing");
    }

    @Test
    void shouldRefuseAnOpenSegmentThatDoesNotFollow() throws Exception
    {
        final Path other = open.resolveSibling("log_inprogress_" + (firstOpen + 1));
        Files.move(open, other);
        try
        {
            assertNotNull(damage(false));
        }
        finally
        {
            Files.delete(other);
        }
    }

    @Test
    void shouldStartFromATornTail() throws Exception
    {
        final byte[] bytes = openBytes.clone();
        Arrays.fill(bytes, (ENDS.get(ENDS.size() - 2) / BLOCK + 1) * BLOCK, bytes.length, (byte)0);
        InPlace.write(open, bytes);
        final byte[] copyOfClosed = closedBytes.clone();
        try (RaftLogs logs = RaftLogs.open(new RaftLogOptions(directory, TABLE).reserveBytes(0),
            List.of(LogStart.withoutSnapshot(() -> {}))))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            assertEquals(5 + SINGLE + TOGETHER - 1, user.entries());
            user.continueBehind(user.lastNumber());
            user.propose(3, 100);
        }
        assertNull(damage(false));
        assertTrue(Arrays.equals(copyOfClosed, Files.readAllBytes(closed)));
        // The next test finds the two segments that there were.
        for (final LogReport.SegmentReport segment : check(false).segments())
        {
            if (!segment.file().equals(closed))
            {
                Files.delete(segment.file());
            }
        }
    }

    private static int end()
    {
        return ENDS.get(ENDS.size() - 1);
    }

    private static long last()
    {
        return firstOpen + ENDS.size() - 2;
    }

    private static LogReport check(final boolean discardTail) throws IOException
    {
        return LogFiles.check(log, -1, discardTail);
    }

    private static LogDamageException damage(final boolean discardTail) throws IOException
    {
        try
        {
            check(discardTail);
            return null;
        }
        catch (final LogDamageException e)
        {
            return e;
        }
    }
}
