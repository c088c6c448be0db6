package org.onesided.server.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotStoreTest
{
    @TempDir
    private Path parent;

    private Path directory()
    {
        return parent.resolve("snapshots").resolve("shard-1");
    }

    private SnapshotStore store()
    {
        return new SnapshotStore(directory(), SampleSnapshot.TABLE, 1, 4);
    }

    /** Where the log holds nothing. */
    private static SnapshotReader open(final SnapshotStore store)
    {
        return store.openNewest((bytes) -> {}, (index) -> false);
    }

    private static long newest(final SnapshotStore store)
    {
        try (SnapshotReader reader = open(store))
        {
            assertFalse(SampleSnapshot.read(reader).isEmpty());
            return reader.header().index();
        }
    }

    private static void damage(final Path file) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> files = Files.list(directory()))
        {
            return files.toList();
        }
    }

    @Test
    void shouldKeepTwo() throws Exception
    {
        final SnapshotStore store = store();
        assertNull(open(store));
        assertEquals(-1, store.newestIndex());
        SampleSnapshot.write(store, 5);
        assertEquals(-1, store.oldestIndex());
        SampleSnapshot.write(store, 9);
        SampleSnapshot.write(store, 1_000);
        assertEquals(2, files().size());
        assertEquals(1_000, store.newestIndex());
        assertEquals(9, store.oldestIndex());
        assertEquals(8_000, store.newestCreatedMs());
        assertEquals(Files.size(files().get(0)) + Files.size(files().get(1)), store.diskBytes());
        final SnapshotStore again = store();
        assertEquals(1_000, newest(again));
        assertEquals(1_000, again.newestIndex());
        assertEquals(9, again.oldestIndex());
        assertEquals(8_000, again.newestCreatedMs());
        assertEquals(store.newestBytes(), again.newestBytes());
    }

    @Test
    void shouldAdoptASnapshotInPlaceOfAllOthers() throws Exception
    {
        final SnapshotStore other =
            new SnapshotStore(parent.resolve("other"), SampleSnapshot.TABLE, 1, 4);
        SampleSnapshot.write(other, 700);
        final SnapshotStore store = store();
        SampleSnapshot.write(store, 5);
        SampleSnapshot.write(store, 9);
        final Path come = Files.move(other.file(700), parent.resolve("come"));
        store.adopt(come);
        assertFalse(Files.exists(come));
        assertEquals(List.of(store.file(700)), files());
        assertEquals(700, store.newestIndex());
        assertEquals(-1, store.oldestIndex());
        assertEquals(700, newest(store()));
    }

    @Test
    void shouldAdoptNothingThatIsDamagedOrOfAnotherShard() throws Exception
    {
        final SnapshotStore other = new SnapshotStore(parent.resolve("other"), SampleSnapshot.TABLE, 1, 4);
        SampleSnapshot.write(other, 700);
        final SnapshotStore stranger =
            new SnapshotStore(parent.resolve("stranger"), SampleSnapshot.TABLE + 1, 1, 4);
        final SnapshotStore store = store();
        SampleSnapshot.write(store, 5);
        assertThrows(SnapshotException.class, () -> stranger.adopt(other.file(700)));
        damage(other.file(700));
        assertThrows(SnapshotException.class, () -> store.adopt(other.file(700)));
        assertEquals(List.of(store.file(5)), files());
        assertEquals(5, newest(store));
    }

    @Test
    void shouldFallBackToTheOneBefore() throws Exception
    {
        SampleSnapshot.write(store(), 5);
        SampleSnapshot.write(store(), 9);
        damage(SnapshotStore.files(directory()).get(0));
        final SnapshotStore store = store();
        assertEquals(5, newest(store));
        assertEquals(5, store.newestIndex());
        assertEquals(-1, store.oldestIndex(), "only one is good");
        assertEquals(2, files().size(), "the damaged one may be looked at");
        SampleSnapshot.write(store, 11);
        assertEquals(2, files().size());
        assertEquals(5, store.oldestIndex());
        assertEquals(11, newest(store()));
    }

    /** Nobody takes the log alone for the whole state. */
    @Test
    void shouldRefuseIfNoneIsGood() throws Exception
    {
        SampleSnapshot.write(store(), 5);
        SampleSnapshot.write(store(), 9);
        for (final Path file : files())
        {
            damage(file);
        }
        for (int i = 0; i < 2; i++)
        {
            final SnapshotException refusal = assertThrows(SnapshotException.class, () -> open(store()));
            assertTrue(refusal.getMessage().contains(directory().toString()), refusal.getMessage());
        }
        assertEquals(2, SnapshotStore.files(directory()).size());
    }

    @Test
    void shouldRefuseIfOnlyDamagedOnesAreLeft() throws Exception
    {
        SampleSnapshot.write(store(), 5);
        SampleSnapshot.write(store(), 9);
        damage(SnapshotStore.files(directory()).get(0));
        assertEquals(5, newest(store()));
        Files.delete(SnapshotStore.files(directory()).get(0));
        assertThrows(SnapshotException.class, () -> open(store()));
    }

    /** The log must hold what the newest one contained, whose index its name tells. */
    @ParameterizedTest
    @CsvSource({"8, false", "9, true", "10, true"})
    void shouldTakeTheLogForAllIfItHoldsAll(final long last, final boolean isTaken) throws Exception
    {
        SampleSnapshot.write(store(), 5);
        SampleSnapshot.write(store(), 9);
        for (final Path file : files())
        {
            damage(file);
        }
        // The second start finds them set aside.
        for (int i = 0; i < 2; i++)
        {
            final SnapshotStore store = store();
            if (isTaken)
            {
                assertNull(store.openNewest((bytes) -> {}, (index) -> last >= index));
                assertEquals(-1, store.newestIndex());
                assertEquals(List.of(), SnapshotStore.files(directory()));
                assertEquals(2, files().size(), "the damaged ones may be looked at");
            }
            else
            {
                assertThrows(
                    SnapshotException.class, () -> store.openNewest((bytes) -> {}, (index) -> last >= index));
                assertEquals(2, SnapshotStore.files(directory()).size());
            }
            assertEquals(9, SnapshotStore.newestIndex(directory()));
        }
        if (isTaken)
        {
            SampleSnapshot.write(store(), 11);
            assertEquals(1, files().size());
            assertEquals(-1, store().oldestIndex(), "the log stays");
        }
    }

    @Test
    void shouldRemoveWhatACrashLeftHalfWritten() throws Exception
    {
        SampleSnapshot.write(store(), 5);
        Files.write(directory().resolve("snapshot-0000000000000000009.tmp"), new byte[100]);
        Files.write(directory().resolve("note"), new byte[100]);
        assertEquals(5, newest(store()));
        assertEquals(2, files().size());
    }

    @Test
    void shouldRefuseASnapshotOfSomethingElse() throws Exception
    {
        SampleSnapshot.write(store(), 5);
        for (final SnapshotStore other : List.of(
            new SnapshotStore(directory(), SampleSnapshot.TABLE + 1, 1, 4),
            new SnapshotStore(directory(), SampleSnapshot.TABLE, 2, 4),
            new SnapshotStore(directory(), SampleSnapshot.TABLE, 1, 5)))
        {
            assertEquals(SnapshotException.Reason.FOREIGN,
                assertThrows(SnapshotException.class, () -> open(other)).reason());
            assertThrows(IllegalArgumentException.class, () -> other.create(SampleSnapshot.header(7)));
        }
    }

    @Test
    void shouldNotTakeASnapshotForOneOfAnotherIndex() throws Exception
    {
        SampleSnapshot.write(store(), 5);
        SampleSnapshot.write(store(), 9);
        final List<Path> files = SnapshotStore.files(directory());
        Files.move(files.get(0), directory().resolve("snapshot-0000000000000000010"));
        assertEquals(5, newest(store()));
    }

    @Test
    void shouldReplaceASnapshotOfTheSameIndex() throws Exception
    {
        final SnapshotStore store = store();
        SampleSnapshot.write(store, 5);
        SampleSnapshot.write(store, 5);
        assertEquals(1, files().size());
        assertEquals(5, newest(store));
    }

    @Test
    void shouldSayThatTheDirectoryCannotBeUsed() throws Exception
    {
        Files.createDirectories(directory().getParent());
        Files.write(directory(), new byte[1]);
        assertThrows(SnapshotException.class, this::store);
    }
}
