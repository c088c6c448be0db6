package org.onesided.server.raft.peers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.server.log.SnapshotFiles;

class SnapshotExchangeTest
{
    private static final long TERM = 3;

    @TempDir
    private Path directory;
    private Path folder;
    private final Store store = new Store();
    private SnapshotExchange exchange;

    /** Snapshots that are good if they begin with their index. */
    private final class Store implements SnapshotFiles
    {
        private Newest newest;

        void write(final long index) throws IOException
        {
            final Path file = directory.resolve("own-" + index);
            Files.writeString(file, index + " own");
            newest = new Newest(file, TERM, index);
        }

        @Override
        public Newest newest()
        {
            return newest;
        }

        @Override
        public void adopt(final Path file) throws IOException
        {
            final String text = Files.readString(file);
            if (text.startsWith("bad"))
            {
                throw new IOException("damaged");
            }
            final long index = Long.parseLong(text.split(" ")[0]);
            newest = new Newest(Files.move(file, directory.resolve("adopted-" + index)), TERM, index);
        }
    }

    @BeforeEach
    void setUp() throws Exception
    {
        folder = Files.createDirectory(directory.resolve("sm"));
        exchange = new SnapshotExchange(directory, store);
    }

    private List<String> links() throws IOException
    {
        try (Stream<Path> files = Files.list(folder))
        {
            return files.map((file) -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldGiveTheNewestSnapshotANameInTheFolder() throws Exception
    {
        assertNull(exchange.latest());
        store.write(7);
        final SnapshotInfo info = exchange.latest();
        assertEquals(TermIndex.valueOf(TERM, 7), info.getTermIndex());
        assertEquals(folder.resolve("snapshot-7"), info.getFiles().get(0).getPath());
        assertArrayEquals(Files.readAllBytes(store.newest().file()), Files.readAllBytes(folder.resolve("snapshot-7")));
        assertSame(info, exchange.latest());
    }

    @Test
    void shouldKeepTheNameOfTheOneBeforeWhileItMayBeSent() throws Exception
    {
        for (final long index : new long[]{7, 90, 100})
        {
            store.write(index);
            exchange.latest();
        }
        assertEquals(List.of("snapshot-100", "snapshot-90"), links());
    }

    @Test
    void shouldUseANameThatAProcessBeforeHasLeft() throws Exception
    {
        store.write(7);
        exchange.latest();
        final SnapshotInfo info = new SnapshotExchange(directory, store).latest();
        assertEquals(folder.resolve("snapshot-7"), info.getFiles().get(0).getPath());
    }

    @Test
    void shouldTellOfASnapshotBeforeTheFolderIsThere() throws Exception
    {
        Files.delete(folder);
        store.write(7);
        assertTrue(exchange.latest().getFiles().isEmpty());
        Files.createDirectory(folder);
        assertFalse(exchange.latest().getFiles().isEmpty());
    }

    @Test
    void shouldAdoptWhatHasComeAndLeaveNothingOfIt() throws Exception
    {
        store.write(7);
        exchange.latest();
        Files.writeString(folder.resolve("snapshot-30"), "30 foreign");
        assertEquals(TermIndex.valueOf(TERM, 30), exchange.adopt());
        assertEquals("30 foreign", Files.readString(store.newest().file()));
        assertFalse(links().contains("snapshot-30"));
        assertEquals(30, exchange.latest().getIndex());
        assertNull(exchange.adopt());
    }

    @Test
    void shouldNotAdoptItsOwn() throws Exception
    {
        store.write(7);
        exchange.latest();
        assertNull(exchange.adopt());
        Files.writeString(folder.resolve("snapshot-6"), "6 old");
        assertNull(exchange.adopt());
    }

    @Test
    void shouldSayThatWhatHasComeIsDamaged() throws Exception
    {
        Files.writeString(folder.resolve("snapshot-30"), "bad");
        assertThrows(IOException.class, exchange::adopt);
    }

    @Test
    void shouldDropADamagedOneThatAProcessBeforeHasLeft() throws Exception
    {
        store.write(7);
        Files.writeString(folder.resolve("snapshot-30"), "bad");
        exchange.adoptLeft();
        assertEquals(7, store.newest().index());
        assertEquals(List.of(), links());
    }

    @Test
    void shouldRefuseASnapshotThatIsAnotherThanItsNameSays() throws Exception
    {
        Files.writeString(folder.resolve("snapshot-30"), "31 foreign");
        assertTrue(assertThrows(IOException.class, exchange::adopt).getMessage().contains("another"));
    }
}
