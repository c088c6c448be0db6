package org.onesided.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which package may use which: the arrows point one way only.
 */
final class ArrowsTest
{
    private static final String ROOT = "org.onesided";
    private static final String VERBS = ROOT + ".verbs";
    private static final String DEVICES = ROOT + ".verbs.*..";
    private static final String WAITING = ROOT + ".waiting";
    private static final String MACHINE = ROOT + ".machine";
    private static final String PROTOCOL = ROOT + ".protocol..";
    private static final String SERVER = ROOT + ".server..";
    private static final String RAFT = ROOT + ".server.raft..";
    private static final String PEERS = ROOT + ".server.raft.peers";
    private static final String SHARD = ROOT + ".server.shard";
    private static final String DISK = ROOT + ".server.disk";
    private static final String CLIENT = ROOT + ".client..";
    private static final String TOOLS = ROOT + ".tools..";
    private static final String JUNIT = ROOT + ".junit";
    private static final String YCSB = ROOT + ".tools.ycsb..";

    private static final JavaClasses PRODUCT = new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        // What tests share is no part of the product.
        .withImportOption((location) -> !location.contains("/tests/support/") && !location.contains("-tests.jar"))
        .importPackages(ROOT);

    /**
     * A rule about a package that holds nothing holds always, so each that is named below must hold something.
     */
    @ParameterizedTest
    @ValueSource(strings = {
        "verbs", "verbs.posix", "verbs.ibv", "verbs.soft", "verbs.shm", "verbs.tcp", "waiting", "machine",
        "protocol.table", "protocol.rpc",
        "protocol.bootstrap", "server", "server.eviction", "server.table", "server.log", "server.raft",
        "server.raft.files", "server.raft.peers", "server.cluster", "server.forming", "server.operating",
        "server.disk",
        "server.data", "server.snapshot", "server.shard.agent", "server.shard.requests", "server.shard.logged",
        "server.shard.reign", "server.shard.snapshot", "server.shard.apply", "server.shard.proposal",
        "server.shard.execution", "server.shard.session",
        "client", "client.exceptions", "client.lease", "client.types", "client.session", "client.pool",
        "client.request", "client.read", "client.bootstrap", "client.cluster", "client.callback", "client.typed",
        "client.jcache", "junit", "tools", "tools.ycsb"})
    void shouldFindThePackagesThatTheRulesName(final String name)
    {
        final String wanted = ROOT + "." + name;
        assertTrue(
            PRODUCT.stream().anyMatch((c) ->
                c.getPackageName().equals(wanted) || c.getPackageName().startsWith(wanted + ".")),
            "no class of the product in " + wanted);
    }

    @Test
    void shouldHaveNoPackageBesideThese()
    {
        classes().should().resideInAnyPackage(VERBS + "..", WAITING, MACHINE, PROTOCOL, SERVER, CLIENT, TOOLS, JUNIT)
            .check(PRODUCT);
    }

    @Test
    void shouldLetNothingDependOnTheExtensionOfJUnit()
    {
        noClasses().that().resideOutsideOfPackage(JUNIT).should().dependOnClassesThat().resideInAPackage(JUNIT)
            .check(PRODUCT);
    }

    @Test
    void shouldBuildWaitingAndTheMachineOnNothing()
    {
        classes().that().resideInAPackage(WAITING)
            .should().onlyDependOnClassesThat().resideInAnyPackage("java..", WAITING)
            .check(PRODUCT);
        classes().that().resideInAPackage(MACHINE)
            .should().onlyDependOnClassesThat().resideInAnyPackage("java..", MACHINE)
            .check(PRODUCT);
    }

    /** With both cores busy, a yield gives one away for a whole slice of the scheduler: Spin alone notices that. */
    @Test
    void shouldWaitForNothingWithoutABound()
    {
        noClasses().that().resideInAnyPackage(VERBS + "..", SERVER, CLIENT)
            .should().callMethod(Thread.class, "join")
            .orShould().callMethod(CountDownLatch.class, "await")
            .orShould().callMethod(Future.class, "get")
            .orShould().callMethod(CompletableFuture.class, "get")
            .orShould().callMethod(CompletableFuture.class, "join")
            .orShould().callMethod(Semaphore.class, "acquire")
            .check(PRODUCT);
    }

    @Test
    void shouldYieldInOnePlaceOnly()
    {
        noClasses().that().resideOutsideOfPackage(WAITING).should().callMethod(Thread.class, "yield").check(PRODUCT);
    }

    @Test
    void shouldKeepTheProductFreeOfTheBenchmark()
    {
        noClasses().should().dependOnClassesThat().resideInAPackage(ROOT + ".peers..").check(PRODUCT);
    }

    @Test
    void shouldKeepTheVerbsFreeOfTheStore()
    {
        noClasses().that().resideInAPackage(VERBS + "..")
            .should().dependOnClassesThat().resideInAnyPackage(PROTOCOL, SERVER, CLIENT, TOOLS)
            .check(PRODUCT);
    }

    @Test
    void shouldKeepTheVerbsApiFreeOfItsDevices()
    {
        classes().that().resideInAPackage(VERBS)
            .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "org.agrona..", VERBS)
            .check(PRODUCT);
    }

    @Test
    void shouldFindDevicesByTheirServiceOnly()
    {
        noClasses().that().resideOutsideOfPackage(VERBS + "..")
            .should().dependOnClassesThat().resideInAPackage(DEVICES)
            .check(PRODUCT);
    }

    @Test
    void shouldKeepDevicesApart()
    {
        slices().matching(VERBS + ".(*)..").namingSlices("device $1")
            .should().notDependOnEachOther()
            .ignoreDependency(
                JavaClass.Predicates.resideInAPackage(DEVICES),
                JavaClass.Predicates.resideInAnyPackage(VERBS + ".soft..", VERBS + ".posix.."))
            .check(PRODUCT);
    }

    @Test
    void shouldLetOnlyDevicesCallNativeCode()
    {
        noClasses().that().resideOutsideOfPackage(DEVICES)
            .should().dependOnClassesThat().resideInAnyPackage("jnr..", "com.kenai..", "net.openhft.posix..")
            .check(PRODUCT);
    }

    /** Their first use takes longer than all else that a client does, so only calls with {@code Bytes} touch them. */
    @Test
    void shouldUseChroniclesBytesInTheApiOfTheClientOnly()
    {
        noClasses().that().resideOutsideOfPackage(ROOT + ".client")
            .should().dependOnClassesThat().resideInAPackage("net.openhft..")
            .check(PRODUCT);
    }

    @Test
    void shouldBuildTheProtocolOnTheVerbsOnly()
    {
        classes().that().resideInAPackage(PROTOCOL)
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "java..", "javax.net.ssl..", "javax.security.auth..", "org.agrona..", "com.dynatrace.hash4j..", VERBS,
                PROTOCOL)
            .check(PRODUCT);
    }

    @Test
    void shouldNeedYcsbForItsBindingOnly()
    {
        noClasses().that().resideOutsideOfPackage(YCSB)
            .should().dependOnClassesThat().resideInAnyPackage(YCSB, "site.ycsb..")
            .check(PRODUCT);
    }

    @Test
    void shouldKeepTheServerFreeOfClientAndTools()
    {
        noClasses().that().resideInAPackage(SERVER)
            .should().dependOnClassesThat().resideInAnyPackage(CLIENT, TOOLS)
            .check(PRODUCT);
    }

    @Test
    void shouldKeepTheClientFreeOfServerAndTools()
    {
        noClasses().that().resideInAPackage(CLIENT)
            .should().dependOnClassesThat().resideInAnyPackage(SERVER, TOOLS)
            .check(PRODUCT);
    }

    @Test
    void shouldBuildEvictionOnTheTableOnly()
    {
        classes().that().resideInAPackage(ROOT + ".server.eviction")
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "java..", "org.agrona..", PROTOCOL, ROOT + ".server.table", ROOT + ".server.eviction")
            .check(PRODUCT);
    }

    @Test
    void shouldKnowTheLogOnlyByItsInterface()
    {
        classes().that().resideInAPackage(ROOT + ".server.log")
            .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "org.agrona..", ROOT + ".server.log")
            .check(PRODUCT);
        classes().that().resideInAPackage(RAFT).and().resideOutsideOfPackage(PEERS)
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "java..", "org.agrona..", "org.slf4j..", "org.apache.ratis..", WAITING, ROOT + ".server.log", RAFT)
            .check(PRODUCT);
        classes().that().resideInAPackage(PEERS)
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "java..", "javax.net.ssl..", "org.slf4j..", "org.apache.ratis..", ROOT + ".server.log",
                ROOT + ".protocol.bootstrap", PEERS)
            .check(PRODUCT);
        noClasses().that().resideOutsideOfPackage(RAFT)
            .should().dependOnClassesThat().resideInAPackage("org.apache.ratis..")
            .check(PRODUCT);
    }

    @Test
    void shouldKnowOtherServersWithoutTheShard()
    {
        classes().that().resideInAPackage(ROOT + ".server.cluster")
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "java..", ROOT + ".server.log", ROOT + ".server.snapshot", ROOT + ".server.cluster")
            .check(PRODUCT);
        classes().that().resideInAPackage(ROOT + ".client.lease")
            .should().onlyDependOnClassesThat().resideInAnyPackage("java..", ROOT + ".client.lease")
            .check(PRODUCT);
    }

    /** What is on the disk is read without a shard, by commands that look at a directory. */
    @Test
    void shouldKnowFilesWithoutTheTable()
    {
        classes().that().resideInAPackage(DISK)
            .should().onlyDependOnClassesThat().resideInAnyPackage("java..", DISK)
            .check(PRODUCT);
        classes().that().resideInAPackage(ROOT + ".server.snapshot")
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "java..", "org.agrona..", "org.slf4j..", WAITING, DISK, ROOT + ".server.snapshot")
            .check(PRODUCT);
        classes().that().resideInAPackage(ROOT + ".server.data")
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "java..", "javax.crypto..", DISK, ROOT + ".server.log", ROOT + ".server.data")
            .check(PRODUCT);
    }

    /** The rooms of a shard have public classes for each other. The server uses the few that it gives or gets. */
    @Test
    void shouldKeepTheRoomsOfTheShardApart()
    {
        layeredArchitecture().consideringAllDependencies()
            .layer("server").definedBy(
                ROOT + ".server", ROOT + ".server.accept", ROOT + ".server.backup", ROOT + ".server.session")
            .layer("agent").definedBy(SHARD + ".agent")
            .layer("requests").definedBy(SHARD + ".requests")
            .layer("logged").definedBy(SHARD + ".logged")
            .layer("reign").definedBy(SHARD + ".reign")
            .layer("snapshot").definedBy(SHARD + ".snapshot")
            .layer("apply").definedBy(SHARD + ".apply")
            .layer("proposal").definedBy(SHARD + ".proposal")
            .layer("execution").definedBy(SHARD + ".execution")
            .layer("session").definedBy(SHARD + ".session")
            .whereLayer("agent").mayOnlyBeAccessedByLayers("server")
            .whereLayer("requests").mayOnlyBeAccessedByLayers("agent")
            .whereLayer("logged").mayOnlyBeAccessedByLayers("server", "agent", "requests")
            .whereLayer("reign").mayOnlyBeAccessedByLayers("server", "agent", "requests", "logged")
            .whereLayer("snapshot").mayOnlyBeAccessedByLayers("server", "agent", "requests", "logged")
            .whereLayer("apply").mayOnlyBeAccessedByLayers("logged", "snapshot")
            .whereLayer("proposal").mayOnlyBeAccessedByLayers(
                "server", "agent", "requests", "logged", "reign", "snapshot", "apply")
            .whereLayer("execution").mayOnlyBeAccessedByLayers("agent", "requests", "logged", "apply", "proposal")
            .whereLayer("session").mayOnlyBeAccessedByLayers(
                "server", "agent", "requests", "logged", "reign", "snapshot", "apply", "proposal", "execution")
            .check(PRODUCT);
        noClasses().that().resideOutsideOfPackage(SHARD + "..")
            .should().dependOnClassesThat().haveFullyQualifiedName(SHARD + ".ShardCounters")
            .check(PRODUCT);
    }

    /** The rooms behind the API have public classes for each other. Nobody else uses them. */
    @Test
    void shouldKeepTheRoomsOfTheClientApart()
    {
        layeredArchitecture().consideringAllDependencies()
            .layer("API").definedBy(ROOT + ".client")
            .layer("read").definedBy(ROOT + ".client.read")
            .layer("request").definedBy(ROOT + ".client.request")
            .layer("pool").definedBy(ROOT + ".client.pool")
            .layer("session").definedBy(ROOT + ".client.session")
            .layer("cluster").definedBy(ROOT + ".client.cluster")
            .layer("bootstrap").definedBy(ROOT + ".client.bootstrap")
            .layer("callback").definedBy(ROOT + ".client.callback")
            .whereLayer("read").mayOnlyBeAccessedByLayers("API")
            .whereLayer("request").mayOnlyBeAccessedByLayers("API", "read")
            .whereLayer("pool").mayOnlyBeAccessedByLayers("API")
            .whereLayer("callback").mayOnlyBeAccessedByLayers("API")
            .whereLayer("session").mayOnlyBeAccessedByLayers("API", "read", "request", "pool", "cluster")
            .whereLayer("cluster").mayOnlyBeAccessedByLayers("API")
            .whereLayer("bootstrap").mayOnlyBeAccessedByLayers("API", "request", "session", "cluster")
            .check(PRODUCT);
    }

    @Test
    void shouldKeepTheRoomsOfTheClientFreeOfItsApi()
    {
        noClasses().that().resideInAnyPackage(
            ROOT + ".client.read", ROOT + ".client.request", ROOT + ".client.pool", ROOT + ".client.session",
            ROOT + ".client.bootstrap", ROOT + ".client.cluster", ROOT + ".client.callback")
            .should().dependOnClassesThat().resideInAnyPackage(ROOT + ".client", ROOT + ".client.micrometer")
            .check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exceptions", "types"})
    void shouldBuildExceptionsAndTypesOfTheClientOnNoOtherRoom(final String name)
    {
        classes().that().resideInAPackage(ROOT + ".client." + name)
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "java..", "org.agrona..", "org.jspecify..", ROOT + ".client." + name)
            .check(PRODUCT);
    }

    /** It is one more user of the API, as an application could be. */
    @Test
    void shouldBuildJCacheOnTheApiOnly()
    {
        classes().that().resideInAPackage(ROOT + ".client.jcache")
            .should().onlyDependOnClassesThat().resideInAnyPackage(
                "java..", "javax.cache..", "javax.management..", "org.agrona..", "org.jspecify..", "org.slf4j..",
                ROOT + ".client", ROOT + ".client.exceptions", ROOT + ".client.types", ROOT + ".client.typed",
                ROOT + ".client.jcache", ROOT + ".protocol.bootstrap")
            .check(PRODUCT);
        noClasses().that().resideOutsideOfPackage(ROOT + ".client.jcache")
            .should().dependOnClassesThat().resideInAnyPackage(ROOT + ".client.jcache", "javax.cache..")
            .check(PRODUCT);
    }

    @Test
    void shouldHaveNoCyclesOfPackages()
    {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "verbs.ibv", "verbs.posix", "verbs.shm", "verbs.soft", "verbs.tcp", "server", "client.pool", "client.request",
        "client.read", "client.session", "client.bootstrap", "client.cluster", "client.callback"})
    void shouldHaveNoCyclesOfClasses(final String name)
    {
        slices().assignedFrom(new ClassesBelow(ROOT + "." + name)).should().beFreeOfCycles().check(PRODUCT);
    }

    /**
     * Each class of a package and of those below it, with the classes nested in it.
     */
    private record ClassesBelow(String packageName) implements SliceAssignment
    {
        @Override
        public SliceIdentifier getIdentifierOf(final JavaClass javaClass)
        {
            if (!(javaClass.getPackageName() + ".").startsWith(packageName + "."))
            {
                return SliceIdentifier.ignore();
            }
            JavaClass outermost = javaClass;
            while (outermost.getEnclosingClass().isPresent())
            {
                outermost = outermost.getEnclosingClass().get();
            }
            return SliceIdentifier.of(outermost.getName());
        }

        @Override
        public String getDescription()
        {
            return "the classes below " + packageName;
        }
    }
}
