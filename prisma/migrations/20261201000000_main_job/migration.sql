-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "SwarmStatus" AS ENUM ('QUEUED', 'PLANNING', 'RUNNING', 'FUSING', 'PAUSED', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELED');

-- CreateEnum
CREATE TYPE "AgentStatus" AS ENUM ('QUEUED', 'RUNNING', 'WAITING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED');

-- CreateEnum
CREATE TYPE "AttemptStatus" AS ENUM ('RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'CANCELED', 'LOST');

-- CreateEnum
CREATE TYPE "AttemptPurpose" AS ENUM ('AGENT', 'PLAN', 'FUSE', 'JUDGE', 'REPAIR');

-- CreateEnum
CREATE TYPE "FusionStrategy" AS ENUM ('NONE', 'CONCAT', 'SYNTHESIZE');

-- CreateEnum
CREATE TYPE "BudgetAction" AS ENUM ('FUSE_PARTIAL', 'PAUSE', 'FAIL');

-- CreateEnum
CREATE TYPE "CostSource" AS ENUM ('PRICED', 'REPORTED', 'ESTIMATED', 'UNKNOWN', 'CACHED');

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('ADMIN', 'MEMBER', 'VIEWER');

-- CreateTable
CREATE TABLE "Tenant" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "timeZone" TEXT NOT NULL DEFAULT 'UTC',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "tenantId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Model" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "gateway" TEXT NOT NULL,
    "contextWindow" INTEGER NOT NULL,
    "maxOutputTokens" INTEGER NOT NULL,
    "maxConcurrency" INTEGER,
    "rpm" INTEGER,
    "tpm" INTEGER,
    "isEnabled" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "Model_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ModelPrice" (
    "modelId" TEXT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "inputNanoUsd" BIGINT NOT NULL,
    "cachedInputNanoUsd" BIGINT NOT NULL,
    "outputNanoUsd" BIGINT NOT NULL,

    CONSTRAINT "ModelPrice_pkey" PRIMARY KEY ("modelId","validFrom")
);

-- CreateTable
CREATE TABLE "RoutingRule" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "isEnabled" BOOLEAN NOT NULL DEFAULT true,
    "taskTypes" TEXT[],
    "roles" TEXT[],
    "minPromptTokens" INTEGER,
    "maxPromptTokens" INTEGER,
    "models" TEXT[],
    "systemPrompt" TEXT,
    "temperature" DOUBLE PRECISION,
    "maxTokens" INTEGER,
    "timeoutMs" INTEGER,
    "maxAttempts" INTEGER,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RoutingRule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Swarm" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "apiKeyId" TEXT NOT NULL,
    "name" TEXT,
    "goal" TEXT,
    "spec" JSONB NOT NULL,
    "labels" JSONB NOT NULL DEFAULT '[]',
    "idempotencyKey" TEXT,
    "inputHash" TEXT NOT NULL,
    "status" "SwarmStatus" NOT NULL DEFAULT 'QUEUED',
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "failureIsRetryable" BOOLEAN,
    "concurrency" INTEGER NOT NULL,
    "budgetNanoUsd" BIGINT,
    "onBudget" "BudgetAction" NOT NULL,
    "allowUnpriced" BOOLEAN NOT NULL,
    "minSuccess" DOUBLE PRECISION NOT NULL,
    "deadlineMs" INTEGER,
    "defaults" JSONB NOT NULL,
    "baselineModel" TEXT,
    "total" INTEGER NOT NULL,
    "queued" INTEGER NOT NULL,
    "running" INTEGER NOT NULL DEFAULT 0,
    "waiting" INTEGER NOT NULL DEFAULT 0,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "canceled" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failedAttempts" INTEGER NOT NULL DEFAULT 0,
    "retries" INTEGER NOT NULL DEFAULT 0,
    "rateLimited" INTEGER NOT NULL DEFAULT 0,
    "timeouts" INTEGER NOT NULL DEFAULT 0,
    "inputTokens" BIGINT NOT NULL DEFAULT 0,
    "cachedInputTokens" BIGINT NOT NULL DEFAULT 0,
    "outputTokens" BIGINT NOT NULL DEFAULT 0,
    "reasoningTokens" BIGINT NOT NULL DEFAULT 0,
    "costNanoUsd" BIGINT NOT NULL DEFAULT 0,
    "wastedNanoUsd" BIGINT NOT NULL DEFAULT 0,
    "estimatedNanoUsd" BIGINT NOT NULL DEFAULT 0,
    "unpricedCalls" INTEGER NOT NULL DEFAULT 0,
    "fusionStrategy" "FusionStrategy" NOT NULL,
    "fusionStatus" "AgentStatus" NOT NULL DEFAULT 'QUEUED',
    "fusionModel" TEXT,
    "fusionSources" INTEGER[],
    "fusionMissing" INTEGER[],
    "fusionCalls" INTEGER NOT NULL DEFAULT 0,
    "fusionLevels" INTEGER NOT NULL DEFAULT 0,
    "fusionFailureCode" TEXT,
    "fusionFailureMessage" TEXT,
    "fusionFailureIsRetryable" BOOLEAN,
    "result" TEXT,
    "lastSequence" INTEGER NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Swarm_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Agent" (
    "swarmId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "role" TEXT,
    "taskType" TEXT,
    "systemPrompt" TEXT,
    "prompt" TEXT NOT NULL,
    "model" TEXT,
    "temperature" DOUBLE PRECISION,
    "maxTokens" INTEGER,
    "timeoutMs" INTEGER,
    "maxAttempts" INTEGER,
    "status" "AgentStatus" NOT NULL DEFAULT 'QUEUED',
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "failureIsRetryable" BOOLEAN,
    "routedModel" TEXT,
    "routeRule" TEXT,
    "routeModels" TEXT[],
    "routeReason" TEXT,
    "output" TEXT,
    "isTruncated" BOOLEAN NOT NULL DEFAULT false,
    "attemptCount" INTEGER NOT NULL DEFAULT 0,
    "inputTokens" INTEGER NOT NULL DEFAULT 0,
    "cachedInputTokens" INTEGER NOT NULL DEFAULT 0,
    "outputTokens" INTEGER NOT NULL DEFAULT 0,
    "reasoningTokens" INTEGER NOT NULL DEFAULT 0,
    "costNanoUsd" BIGINT NOT NULL DEFAULT 0,
    "latencyMs" INTEGER,
    "firstTokenMs" INTEGER,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Agent_pkey" PRIMARY KEY ("swarmId","index")
);

-- CreateTable
CREATE TABLE "Attempt" (
    "swarmId" TEXT NOT NULL,
    "agentIndex" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "purpose" "AttemptPurpose" NOT NULL,
    "status" "AttemptStatus" NOT NULL,
    "requestedModel" TEXT NOT NULL,
    "servedModel" TEXT,
    "isHedge" BOOLEAN NOT NULL DEFAULT false,
    "httpStatus" INTEGER,
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "failureIsRetryable" BOOLEAN,
    "retryAt" TIMESTAMPTZ(3),
    "inputTokens" INTEGER NOT NULL DEFAULT 0,
    "cachedInputTokens" INTEGER NOT NULL DEFAULT 0,
    "outputTokens" INTEGER NOT NULL DEFAULT 0,
    "reasoningTokens" INTEGER NOT NULL DEFAULT 0,
    "inputNanoUsd" BIGINT,
    "cachedInputNanoUsd" BIGINT,
    "outputNanoUsd" BIGINT,
    "costNanoUsd" BIGINT,
    "costSource" "CostSource" NOT NULL,
    "isWasted" BOOLEAN NOT NULL DEFAULT false,
    "latencyMs" INTEGER,
    "firstTokenMs" INTEGER,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "upstreamId" TEXT,

    CONSTRAINT "Attempt_pkey" PRIMARY KEY ("swarmId","agentIndex","number")
);

-- CreateTable
CREATE TABLE "SwarmEvent" (
    "swarmId" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "SwarmEvent_pkey" PRIMARY KEY ("swarmId","sequence")
);

-- CreateTable
CREATE TABLE "CostRollup" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "tenantId" TEXT NOT NULL,
    "apiKeyId" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "taskType" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "purpose" "AttemptPurpose" NOT NULL,
    "shard" INTEGER NOT NULL,
    "calls" BIGINT NOT NULL DEFAULT 0,
    "failedCalls" BIGINT NOT NULL DEFAULT 0,
    "unpricedCalls" BIGINT NOT NULL DEFAULT 0,
    "inputTokens" BIGINT NOT NULL DEFAULT 0,
    "cachedInputTokens" BIGINT NOT NULL DEFAULT 0,
    "outputTokens" BIGINT NOT NULL DEFAULT 0,
    "reasoningTokens" BIGINT NOT NULL DEFAULT 0,
    "costNanoUsd" BIGINT NOT NULL DEFAULT 0,
    "wastedNanoUsd" BIGINT NOT NULL DEFAULT 0,
    "estimatedNanoUsd" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "CostRollup_pkey" PRIMARY KEY ("hour","tenantId","apiKeyId","model","taskType","role","purpose","shard")
);

-- CreateIndex
CREATE UNIQUE INDEX "Tenant_name_key" ON "Tenant"("name");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_prefix_key" ON "ApiKey"("prefix");

-- CreateIndex
CREATE UNIQUE INDEX "Model_name_key" ON "Model"("name");

-- CreateIndex
CREATE UNIQUE INDEX "RoutingRule_name_key" ON "RoutingRule"("name");

-- CreateIndex
CREATE INDEX "Swarm_tenantId_createdAt_id_idx" ON "Swarm"("tenantId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Swarm_createdAt_id_idx" ON "Swarm"("createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Swarm_tenantId_idempotencyKey_key" ON "Swarm"("tenantId", "idempotencyKey");

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ModelPrice" ADD CONSTRAINT "ModelPrice_modelId_fkey" FOREIGN KEY ("modelId") REFERENCES "Model"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Swarm" ADD CONSTRAINT "Swarm_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Swarm" ADD CONSTRAINT "Swarm_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Agent" ADD CONSTRAINT "Agent_swarmId_fkey" FOREIGN KEY ("swarmId") REFERENCES "Swarm"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Room on each page for the next version of a row: the journal's updates touch no indexed column and stay HOT.
ALTER TABLE "Swarm" SET (fillfactor = 70);
ALTER TABLE "Agent" SET (fillfactor = 70);
ALTER TABLE "Attempt" SET (fillfactor = 70);
ALTER TABLE "CostRollup" SET (fillfactor = 70);
