package org.onesided.protocol.bootstrap;

/**
 * Numbers that both sides of the bootstrap agree on.
 */
public final class Bootstrap
{
    /** Default TCP port of a server. */
    public static final int DEFAULT_PORT = 19875;
    /** Version of the protocol. Versions do not mix: a server refuses every other one. */
    public static final int VERSION = 10;
    /**
     * Feature: the server asks for samples of lookups ({@code Accesses}), because it evicts records; the client can
     * send them.
     */
    public static final long ACCESSES = 1;
    /** Feature: the server takes several puts in one message ({@code PutBatchRequest}); the client sends them. */
    public static final long BATCHES = 2;
    /** Stands for the kind of a device in the {@code Hello} of a client that wants a backup instead of a session. */
    public static final String BACKUP = "backup";
    /** Stands for the kind of a device in the {@code Hello} of a client that wants to form a cluster. */
    public static final String FORM = "form";
    /** Stands for the kind of a device in the {@code Hello} of a client that wants to operate a member of a cluster. */
    public static final String OPERATE = "operate";
    /** Stands for the kind of a device in the {@code Hello} of a client that wants to change a cluster's members. */
    public static final String MEMBERS = "members";
    /** In a {@code Hello}: the session is for all shards. */
    public static final int ALL_SHARDS = -1;
    /** Most members of a cluster. */
    public static final int MAX_MEMBERS = 16;
    /** Longest address of a member in bytes of UTF-8. */
    public static final int MAX_ADDRESS_LENGTH = 320;
    /** Longest part of a backup in a {@code BackupPart}, in bytes. */
    public static final int MAX_BACKUP_PART = 15 * 1024;
    /**
     * Features this side can use, one bit each; servers ignore unknown ones. The upper half is not a feature but two
     * line ends: a foreign server that reads lines, such as HTTP or Redis, therefore answers at once, and its answer
     * identifies it.
     */
    public static final long FEATURES = 0x0A0D_0A0D_0000_0000L | ACCESSES | BATCHES;
    /** Longest message in bytes, frame header excluded: room for the endpoints of the most shards. */
    public static final int MAX_MESSAGE_LENGTH = 16 * 1024;
    /** Maximum length of a {@code Hello} in bytes, which limits what the server buffers for a stranger. */
    public static final int MAX_HELLO_LENGTH = 2 * 1024;
    /** Longest token in bytes. */
    public static final int MAX_TOKEN_LENGTH = 1024;
    /** Longest reason in a {@code Refused} or {@code Goodbye}, in bytes of UTF-8. */
    public static final int MAX_REASON_LENGTH = 1024;
    /** Maximum bytes of unanswered requests of a session, over all shards. A client reserves twice as many. */
    public static final long MAX_REQUESTS_LENGTH = 256 << 20;

    private Bootstrap()
    {
    }
}
