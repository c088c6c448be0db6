package org.onesided.server.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.server.disk.DiskFiles;

class SnapshotWriterTest
{
    @TempDir
    private Path directory;

    private SnapshotStore store()
    {
        return new SnapshotStore(directory, SampleSnapshot.TABLE, 1, 4);
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.toList();
        }
    }

    @Test
    void shouldReadWhatWasWritten() throws Exception
    {
        final SnapshotStore store = store();
        final SnapshotWriter writer = store.create(SampleSnapshot.header(42));
        final SampleSnapshot sample = new SampleSnapshot();
        sample.fill(writer, 1);
        SampleSnapshot.finish(writer);
        assertNull(writer.reason());
        final Path file = SnapshotStore.files(directory).get(0);
        assertEquals(List.of(file), files());
        final List<SampleSnapshot.Entry> read = SampleSnapshot.read(file);
        assertEquals(sample.entries.size(), read.size());
        // A short record may come before or behind long ones that it was written behind.
        assertTrue(new HashSet<>(sample.entries).equals(new HashSet<>(read)), "other entries");
        assertTrue(sample.entries.subList(0, 20).equals(read.subList(0, 20)), "sessions keep their order");
        assertEquals(Files.size(file), writer.bytesWritten());
        assertEquals(Files.size(file), store.newestBytes());
        assertEquals(SampleSnapshot.header(42), SnapshotReader.verify(file, (bytes) -> {}));
    }

    @Test
    void shouldWriteASnapshotOfNothing() throws Exception
    {
        SampleSnapshot.finish(store().create(SampleSnapshot.header(1)));
        assertEquals(List.of(), SampleSnapshot.read(SnapshotStore.files(directory).get(0)));
    }

    @Test
    void shouldLeaveNothingWhenItIsAborted() throws Exception
    {
        final SnapshotWriter writer = store().create(SampleSnapshot.header(42));
        final SampleSnapshot sample = new SampleSnapshot();
        sample.fill(writer, 2);
        writer.abort();
        assertEquals(SnapshotWriter.State.FAILED, writer.state());
        assertTrue(writer.hasRoom());
        sample.record(writer, new byte[1], new byte[1], 1);
        sample.longRecord(writer, new byte[1], new byte[1 << 20], 1);
        writer.finish();
        assertTrue(writer.await(SampleSnapshot.LONG_MS));
        assertEquals(SnapshotWriter.State.FAILED, writer.state());
        assertEquals(List.of(), files());
    }

    @Test
    void shouldNotUndoWhatIsDone() throws Exception
    {
        final SnapshotWriter writer = store().create(SampleSnapshot.header(42));
        SampleSnapshot.finish(writer);
        writer.abort();
        assertEquals(SnapshotWriter.State.DONE, writer.state());
        assertNull(writer.reason());
        assertEquals(1, files().size());
    }

    @Test
    void shouldFailWithAReasonIfTheDiskDoes() throws Exception
    {
        final SnapshotStore store = store();
        final Path temporary = DiskFiles.temporary(directory.resolve("snapshot-0000000000000000042"));
        Files.createDirectory(temporary);
        final SnapshotWriter writer = store.create(SampleSnapshot.header(42));
        assertTrue(writer.await(SampleSnapshot.LONG_MS));
        new SampleSnapshot().fill(writer, 3);
        writer.finish();
        assertEquals(SnapshotWriter.State.FAILED, writer.state());
        assertTrue(writer.hasRoom());
        assertTrue(writer.reason().contains(temporary.toString()), writer.reason());
        assertEquals(-1, store.newestIndex());
    }

    @Test
    void shouldRefuseWhatDoesNotFit()
    {
        final SnapshotWriter writer = store().create(SampleSnapshot.header(42));
        final SampleSnapshot sample = new SampleSnapshot();
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1]);
        assertThrows(IllegalArgumentException.class, () -> writer.session(buffer, 0, (1 << 20) + 1));
        assertThrows(IllegalArgumentException.class, () -> writer.record(0, 0, 0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> writer.record(0, 4097, 0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> writer.record(0, 1, 0, -1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> writer.record(0, 1, 0, (64 << 10) + 1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> writer.longRecord(0, 1, 64 << 10, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> writer.longRecord(0, 1, (64 << 20) + 1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> writer.valuePart(0, 1));
        sample.record(writer, new byte[1], new byte[1], 1);
        assertThrows(IllegalStateException.class, () -> sample.session(writer, new byte[1]));
        final UnsafeBuffer key = new UnsafeBuffer(ByteBuffer.allocateDirect(8));
        writer.longRecord(key.addressOffset(), 1, 1 << 20, 0, 0);
        assertThrows(IllegalStateException.class, () -> writer.longRecord(key.addressOffset(), 1, 1 << 20, 0, 0));
        assertThrows(IllegalStateException.class, writer::finish);
        assertThrows(IllegalArgumentException.class, () -> writer.valuePart(key.addressOffset(), (1 << 20) + 1));
        writer.abort();
    }
}
