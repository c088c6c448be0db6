package org.onesided.tools.kvctl.data;

import java.util.stream.Stream;
import org.onesided.client.StoreClient;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;
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
     * @return the version that the key got; null without a condition.
     * @throws CommandException if the condition does not hold.
     */
    Version put(final StoreClient client, final byte[] key, final byte[] value)
    {
        if (!ifAbsent && !ifPresent && ifVersion == null)
        {
            client.put(key, value);
            return null;
        }
        final WriteOutcome outcome = ifAbsent ? client.putIfAbsent(key, value) :
            ifPresent ? client.putIfPresent(key, value) : client.putIfVersion(key, value, ifVersion);
        if (!outcome.applied())
        {
            throw UnmetCondition.of("not put", key, outcome.version(), ifVersion != null);
        }
        return outcome.version();
    }
}
