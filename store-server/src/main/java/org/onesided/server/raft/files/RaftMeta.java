package org.onesided.server.raft.files;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The small files in which Ratis keeps term and vote, and the members.
 */
final class RaftMeta
{
    /** Name of the only member of a group. */
    static final String MEMBER = "1";

    private static final String META = "raft-meta";
    private static final String CONFIGURATION = "raft-meta.conf";
    private static final String TERM = "term";
    private static final String VOTED_FOR = "votedFor";

    private RaftMeta()
    {
    }

    /** The term in the file, or -1 if it is missing or cannot be read: a full disk can leave it empty. */
    static long term(final Path current) throws IOException
    {
        final Path file = current.resolve(META);
        if (!Files.isRegularFile(file))
        {
            return -1;
        }
        final Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1))
        {
            properties.load(reader);
            final long term = Long.parseLong(properties.getProperty(TERM, "-1"));
            return properties.getProperty(VOTED_FOR) == null ? -1 : term;
        }
        catch (final IllegalArgumentException e)
        {
            return -1;
        }
    }

    /** Writes the file anew. In a group of one, no vote of a term can contradict another. */
    static void write(final Path current, final long term) throws IOException
    {
        final Path temporary = current.resolve(META + ".new");
        Files.writeString(temporary, TERM + "=" + term + "\n" + VOTED_FOR + "=" + MEMBER + "\n",
            StandardCharsets.ISO_8859_1);
        SyncedFiles.force(temporary);
        Files.move(temporary, current.resolve(META), StandardCopyOption.ATOMIC_MOVE);
        SyncedFiles.force(current);
    }

    /** The file with the members if it cannot be read, or null. Ratis does without it. */
    static Path badConfiguration(final Path current) throws IOException
    {
        final Path file = current.resolve(CONFIGURATION);
        if (!Files.isRegularFile(file))
        {
            return null;
        }
        try
        {
            return LogEntryProto.parseFrom(Files.readAllBytes(file)).hasConfigurationEntry() ? null : file;
        }
        catch (final InvalidProtocolBufferException e)
        {
            return file;
        }
    }
}
