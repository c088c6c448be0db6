package org.onesided.protocol.bootstrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Small files that may be replaced while they are in use. Checking them only reads their times, unless they have
 * changed. Not thread-safe.
 */
final class WatchedFiles
{
    /** As much as {@link Tokens#MAX_COUNT} tokens take, and more than certificates do. */
    private static final int MAX_LENGTH = 2 << 20;
    /** Resolution of file times: a file that was written within it may change again without a new time. */
    private static final long SETTLED_MS = TimeUnit.SECONDS.toMillis(2);

    private final List<Path> files;
    private List<Object> stamps = List.of();
    private List<byte[]> contents = List.of();
    private boolean isSettled;

    WatchedFiles(final List<Path> files)
    {
        this.files = List.copyOf(files);
    }

    /**
     * Reads them if they may have changed since the last time.
     *
     * @return whether what they hold has changed.
     * @throws IOException if one of them cannot be read; the next time tries again.
     */
    boolean look() throws IOException
    {
        final List<Object> now = new ArrayList<>();
        long latestMs = Long.MIN_VALUE;
        for (final Path file : files)
        {
            final BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            now.add(Arrays.asList(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey()));
            latestMs = Math.max(latestMs, attributes.lastModifiedTime().toMillis());
        }
        if (isSettled && now.equals(stamps))
        {
            return false;
        }
        final boolean settles = System.currentTimeMillis() - latestMs > SETTLED_MS;
        final List<byte[]> read = new ArrayList<>();
        for (final Path file : files)
        {
            read.add(read(file));
        }
        final boolean isSame = Arrays.deepEquals(read.toArray(), contents.toArray());
        contents = read;
        stamps = now;
        isSettled = settles;
        return !isSame;
    }

    boolean isEmpty()
    {
        return files.isEmpty();
    }

    @Override
    public String toString()
    {
        return files.toString();
    }

    /** State of a file at its last reading. */
    byte[] content(final int index)
    {
        return contents.get(index);
    }

    /** Description of the state, for people. */
    static String reason(final IOException e)
    {
        if (e instanceof NoSuchFileException)
        {
            return "no such file: " + e.getMessage();
        }
        return e instanceof AccessDeniedException ? "permission denied: " + e.getMessage() : e.getMessage();
    }

    private static byte[] read(final Path file) throws IOException
    {
        try (InputStream input = Files.newInputStream(file))
        {
            final byte[] content = input.readNBytes(MAX_LENGTH + 1);
            if (content.length > MAX_LENGTH)
            {
                throw new FileSystemException(file.toString(), null, "longer than " + MAX_LENGTH + " bytes");
            }
            return content;
        }
        catch (final FileSystemException e)
        {
            throw e;
        }
        catch (final IOException e)
        {
            // For example for a folder, which can be opened; the exception does not name it.
            throw new FileSystemException(file.toString(), null, e.getMessage());
        }
    }
}
