package org.onesided.tools.kvctl.data;

import java.util.stream.Stream;
import org.onesided.client.StoreClient;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import picocli.CommandLine.Option;

/**
 * The conditions of {@code kvctl put}, at most one of them.
 */
public final class PutConditionOptions
{
    @Option(names = "--if-absent", description = "Put only if the key is absent.")
    private boolean ifAbsent;

    @Option(names = "--if-present", description = "Put only if the key is present.")
    private boolean ifPresent;

    @Option(
        names = VersionText.OPTION,
        paramLabel = "VERSION",
        converter = VersionText.class,
        description = "Put only if the key has this version, as kvctl get --show-version prints it.")
    private Version ifVersion;

    void check()
    {
        if (Stream.of(ifAbsent, ifPresent, ifVersion != null).filter(isGiven -> isGiven).count() > 1)
        {
            throw new CommandException(
                ExitCode.USAGE, "one condition only: --if-absent, --if-present or " + VersionText.OPTION);
        }
    }

    /**
     * Puts a value, if the condition holds.
     *
     * @param keys how keys are written.
     * @param ttl  of the key, if it is given.
     * @return the version that the key got.
     * @throws CommandException if the condition does not hold.
     */
    Version put(
        final StoreClient client,
        final byte[] key,
        final KeyEncodingOption keys,
        final byte[] value,
        final TtlOption ttl)
    {
        final PutOptions condition = ifAbsent ? PutOptions.ifAbsent() : ifPresent ? PutOptions.ifPresent() :
            ifVersion != null ? PutOptions.ifVersion(ifVersion) : PutOptions.NONE;
        final WriteOutcome outcome = client.put(key, value, condition.expiry(ttl.or(condition.expiry())));
        if (!outcome.applied())
        {
            throw UnmetCondition.of("not put", keys.text(key), outcome.version(), ifVersion != null);
        }
        return outcome.version();
    }
}
