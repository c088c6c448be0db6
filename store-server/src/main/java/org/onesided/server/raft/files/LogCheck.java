package org.onesided.server.raft.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * One check of a log's files.
 */
final class LogCheck
{
    private static final String DISCARD = "; restore the log from a backup, or start with --discard-tail to drop the " +
        "entry and all that follow: file=";
    private static final String RESTORE = "; restore the log from a backup: file=";

    private final Path directory;
    private final Path current;
    private final long snapshotIndex;
    private final boolean discardTail;
    private final LongConsumer onChecked;
    private final List<LogReport.SegmentReport> reports = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();
    private final List<String> losses = new ArrayList<>();
    private final List<Repair> repairs = new ArrayList<>();
    private long lastTerm;
    private long entryBytes;

    LogCheck(
        final Path directory,
        final Path current,
        final long snapshotIndex,
        final boolean discardTail,
        final LongConsumer onChecked)
    {
        this.directory = directory;
        this.current = current;
        this.snapshotIndex = snapshotIndex;
        this.discardTail = discardTail;
        this.onChecked = onChecked;
    }

    LogReport run() throws IOException
    {
        if (Files.isDirectory(current))
        {
            final List<Segment> segments = Segment.list(current);
            for (int i = 0; i < segments.size(); i++)
            {
                final Segment segment = segments.get(i);
                segment.read(lastTerm, snapshotIndex);
                if (segment.isOpen() && i == segments.size() - 1)
                {
                    checkOpen(segment);
                }
                else
                {
                    checkClosed(segment, segment.isOpen() ? segments.get(i + 1).firstIndex() - 1 : segment.namedEnd());
                }
                entryBytes += segment.entryBytes();
                onChecked.accept(segment.data().length);
                segment.release();
            }
            checkRange();
            checkMeta();
        }
        return new LogReport(directory, List.copyOf(reports), lastTerm, entryBytes, List.copyOf(findings),
            List.copyOf(losses), List.copyOf(repairs));
    }

    private void checkOpen(final Segment segment) throws LogDamageException
    {
        if (segment.isBad())
        {
            decide(segment);
        }
        else if (segment.goodEnd() < segment.data().length)
        {
            // Ratis deletes an empty segment. Space that it has written ahead must go, too: after a long entry, Ratis
            // cannot read more than 1 MiB of that ("Resetting to invalid mark"), and the log would never open again.
            final Path file = segment.file();
            final int end = segment.goodEnd() < Segment.HEADER_LENGTH ? 0 : segment.goodEnd();
            repairs.add(() -> SyncedFiles.cut(file, end));
        }
        if (segment.lastIndex() >= segment.firstIndex())
        {
            add(segment);
        }
    }

    private void decide(final Segment segment) throws LogDamageException
    {
        final long index = segment.lastIndex() + 1;
        final String damage = new BadEntry(segment.data(), segment.goodEnd(), index).damage(snapshotIndex);
        final String place = segment.file() + ", offset=" + segment.goodEnd() + ", index=" + index;
        if (damage != null && !discardTail)
        {
            throw new LogDamageException("a log entry is damaged: " + damage + DISCARD + place);
        }
        final int bytes = segment.data().length - segment.goodEnd();
        losses.add((damage == null ? "cut off entries that a crash has left unfinished" :
            "cut off entries as told by --discard-tail") + ": file=" + place + ", bytes=" + bytes);
        findings.add(losses.get(losses.size() - 1));
        final Path file = segment.file();
        final int end = segment.goodEnd();
        repairs.add(() -> SyncedFiles.cut(file, end));
    }

    private void checkClosed(final Segment segment, final long end) throws LogDamageException
    {
        if (segment.isBad() || segment.lastIndex() != end || end < segment.firstIndex())
        {
            throw new LogDamageException("a log entry is damaged or missing in a segment that was complete" + RESTORE +
                segment.file() + ", offset=" + segment.goodEnd() + ", index=" + (segment.lastIndex() + 1));
        }
        add(segment);
        if (segment.isOpen())
        {
            // A crash came before it was renamed, but after the next one was begun.
            final Path file = segment.file();
            final int length = segment.goodEnd();
            final String name = "log_" + segment.firstIndex() + "-" + end;
            findings.add("renamed a complete segment: file=" + file + ", name=" + name);
            repairs.add(() ->
            {
                SyncedFiles.cut(file, length);
                Files.move(file, file.resolveSibling(name));
            });
        }
    }

    private void add(final Segment segment) throws LogDamageException
    {
        if (!reports.isEmpty())
        {
            final LogReport.SegmentReport last = reports.get(reports.size() - 1);
            if (last.lastIndex() + 1 != segment.firstIndex())
            {
                throw new LogDamageException("a segment of the log is missing" + RESTORE + segment.file() +
                    ", offset=0, index=" + (last.lastIndex() + 1));
            }
        }
        reports.add(segment.report());
        lastTerm = segment.lastTerm();
    }

    private void checkRange() throws LogDamageException
    {
        if (reports.isEmpty())
        {
            return;
        }
        final LogReport.SegmentReport first = reports.get(0);
        final LogReport.SegmentReport last = reports.get(reports.size() - 1);
        if (first.firstIndex() > snapshotIndex + 1)
        {
            throw new LogDamageException("the log begins behind the end of the snapshot, entries between are missing" +
                RESTORE + first.file() + ", offset=0, index=" + (snapshotIndex + 1));
        }
        if (last.lastIndex() < snapshotIndex)
        {
            findings.add("deleted a log that ends before the snapshot: directory=" + directory + ", index=" +
                last.lastIndex() + ", snapshot=" + snapshotIndex);
            // The last first: what is left after a crash is still without gaps.
            for (int i = reports.size() - 1; i >= 0; i--)
            {
                final Path file = reports.get(i).file();
                repairs.add(() -> Files.deleteIfExists(file));
            }
            reports.clear();
        }
    }

    private void checkMeta() throws IOException
    {
        final Path bad = RaftMeta.badConfiguration(current);
        if (bad != null)
        {
            findings.add("deleted a list of members that cannot be read: file=" + bad);
            repairs.add(() -> Files.deleteIfExists(bad));
        }
        if (RaftMeta.term(current) < lastTerm)
        {
            findings.add("wrote the term anew: directory=" + current + ", term=" + lastTerm);
        }
    }
}
