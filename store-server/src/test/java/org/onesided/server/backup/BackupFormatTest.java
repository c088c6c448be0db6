package org.onesided.server.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.server.disk.InPlace;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupFormatTest
{
    @TempDir
    private Path folder;

    private final SampleBackup sample = new SampleBackup();
    private Path file;
    private byte[] bytes;

    @BeforeEach
    void write() throws Exception
    {
        file = sample.write(folder, 6, false);
        bytes = Files.readAllBytes(file);
    }

    private BackupException refused(final byte[] changed) throws IOException
    {
        InPlace.write(file, changed);
        return assertThrows(BackupException.class, () -> BackupReader.open(file, (read) -> {}));
    }

    @Test
    void shouldTellWhatIsInIt()
    {
        final long[] seen = new long[1];
        final BackupReader reader = BackupReader.open(file, (read) -> seen[0] = read);
        assertEquals(bytes.length - BackupDescriptor.FOOTER_LENGTH, seen[0]);
        assertEquals(6, reader.verify((read) -> seen[0] = read));
        assertTrue(seen[0] > bytes.length / 2 && seen[0] < bytes.length);
        assertEquals(
            new BackupHeader(5, SampleBackup.TABLE, SampleBackup.HASH_SEED, SampleBackup.CHECK_SEED, 123, "1.2", 2),
            reader.header());
    }

    @Test
    void shouldSayThatThereIsNoSuchFile()
    {
        final Path absent = folder.resolve("absent");
        assertEquals("there is no such backup: file=" + absent,
            assertThrows(BackupException.class, () -> BackupReader.open(absent, (read) -> {})).getMessage());
    }

    @Test
    void shouldRefuseEachFlippedByte() throws IOException
    {
        for (int i = 0; i < bytes.length; i++)
        {
            final byte[] changed = bytes.clone();
            changed[i] ^= (byte)(1 << i % Byte.SIZE);
            final String message = refused(changed).getMessage();
            assertTrue(message.contains(file.toString()), message);
        }
    }

    @Test
    void shouldRefuseEachCutFileAndALongerOne() throws IOException
    {
        for (int i = 0; i < bytes.length; i++)
        {
            assertTrue(refused(Arrays.copyOf(bytes, i)).getMessage().contains("end is missing"), "length=" + i);
        }
        assertTrue(refused(Arrays.copyOf(bytes, bytes.length + 1)).getMessage().contains("behind the end"));
    }

    @Test
    void shouldRefuseANewerFormatByName() throws IOException
    {
        final byte[] changed = bytes.clone();
        changed[BackupDescriptor.FORMAT_OFFSET] = BackupDescriptor.FORMAT + 1;
        final CRC32C crc = new CRC32C();
        crc.update(changed, 0, BackupDescriptor.PROLOGUE_CRC_OFFSET);
        for (int i = 0; i < Integer.BYTES; i++)
        {
            changed[BackupDescriptor.PROLOGUE_CRC_OFFSET + i] = (byte)(crc.getValue() >>> Byte.SIZE * i);
        }
        assertTrue(refused(changed).getMessage().contains("format of another version"));
    }

    @Test
    void shouldRefuseAFileOfSomethingElse() throws IOException
    {
        assertTrue(refused(Files.readAllBytes(folder.resolve("part-0"))).getMessage().contains("not a backup"));
    }

    /** All checksums of the backup fit, as the server's own file was damaged before it was sent. */
    @Test
    void shouldRefuseADamagedSnapshotWithin() throws Exception
    {
        final Path part = folder.resolve("part-1");
        final byte[] changed = Files.readAllBytes(part);
        changed[changed.length / 2] ^= 4;
        Files.write(part, changed);
        final BackupStream stream = new BackupStream(
            new BackupHeader(5, SampleBackup.TABLE, 1, 2, 123, "", SampleBackup.SHARDS),
            List.of(folder.resolve("part-0"), part), 1 << 10);
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        stream.writeTo((piece) -> out.write(piece.array(), piece.position(), piece.remaining()));
        Files.write(file, out.toByteArray());
        final BackupReader reader = BackupReader.open(file, (read) -> {});
        assertTrue(assertThrows(BackupException.class, () -> reader.verify((read) -> {})).getMessage()
            .startsWith("backup is damaged: "));
    }
}
