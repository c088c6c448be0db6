package org.onesided.server.raft.files;

import java.nio.file.Path;
import java.util.List;

/**
 * What {@link LogFiles#check} has found in a log.
 *
 * @param directory  of the log.
 * @param segments   in the order of their entries.
 * @param lastTerm   of the last entry, or 0 without entries.
 * @param entryBytes of the shard's own entries behind the snapshot, without what Ratis adds.
 * @param findings   what {@link LogFiles#repair} changes, one line each. Empty for a log that was closed in order.
 * @param losses     those of them by which entries are lost, that a crash has left unfinished, or that are damaged.
 * @param repairs    do that.
 */
public record LogReport(
    Path directory,
    List<SegmentReport> segments,
    long lastTerm,
    long entryBytes,
    List<String> findings,
    List<String> losses,
    List<Repair> repairs)
{
    /**
     * One segment.
     *
     * @param file       that holds it.
     * @param firstIndex of its entries.
     * @param lastIndex  of its good entries; less than the first if it has none.
     * @param bytes      of the file up to the end of its good entries.
     * @param isOpen     whether it was being written.
     */
    public record SegmentReport(Path file, long firstIndex, long lastIndex, long bytes, boolean isOpen)
    {
    }

    /**
     * @return the log without its entries.
     */
    public LogReport emptied()
    {
        return new LogReport(directory, List.of(), 0, 0, findings, losses, repairs);
    }

    /**
     * @return index of the first entry, or -1 without entries.
     */
    public long firstIndex()
    {
        return entries() == 0 ? -1 : segments.get(0).firstIndex();
    }

    /**
     * @return index of the last good entry, or -1 without entries.
     */
    public long lastIndex()
    {
        return entries() == 0 ? -1 : segments.get(segments.size() - 1).lastIndex();
    }

    /**
     * @return number of good entries, those of Ratis included.
     */
    public long entries()
    {
        return segments.stream().mapToLong((segment) -> segment.lastIndex() - segment.firstIndex() + 1).sum();
    }

    /**
     * @return bytes of all good entries in the files.
     */
    public long bytes()
    {
        return segments.stream().mapToLong(SegmentReport::bytes).sum();
    }
}
